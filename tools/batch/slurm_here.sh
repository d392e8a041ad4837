#!/bin/bash
# Slurm on this machine alone, for trying things out: one controller and two nodes, in FOLDER. Needs the Debian packages
# slurmctld, slurmd, slurm-client and munge, and to be root. What it starts it ends: other daemons are left alone.
#
# usage: slurm_here.sh start FOLDER | stop FOLDER
#
# After `start`, the commands of Slurm find it by SLURM_CONF=FOLDER/slurm.conf.
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
folder=$(realpath -m "$2")
mkdir -p "$folder"

stop() {
  for name in node1 node2 controller munge; do
    if [ -s "$folder/$name.pid" ]; then
      local pid
      pid=$(cat "$folder/$name.pid")
      kill "$pid" 2> /dev/null || true
      for _ in $(seq 60); do
        kill -0 "$pid" 2> /dev/null || break
        sleep 0.5
      done
      rm -f "$folder/$name.pid"
    fi
  done
}

# Until the command is true, or a minute has passed.
await() {
  for _ in $(seq 120); do
    "$@" > /dev/null 2>&1 && return
    sleep 0.5
  done
  echo "slurm_here: waited in vain for: $*" >&2
  tail -n 20 "$folder"/*.log >&2 || true
  stop
  exit 1
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

start() {
  for program in munged slurmctld slurmd sbatch; do
    command -v "$program" > /dev/null || { echo "slurm_here: $program is missing" >&2; exit 77; }
  done
  mkdir -p "$folder/state" "$folder/spool1" "$folder/spool2"
  [ -e "$folder/munge.key" ] || { dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 2> /dev/null; }
  chmod 600 "$folder/munge.key"
  munged --force --foreground --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
    --seed-file="$folder/munge.seed" --log-file="$folder/munge.log" > /dev/null 2>&1 &
  echo $! > "$folder/munge.pid"
  await test -S "$folder/munge.socket"
  local host
  host=$(hostname -s)
  cat > "$folder/slurm.conf" << END
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/controller.log
SlurmdLogFile=$folder/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 State=UNKNOWN
NodeName=node2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 State=UNKNOWN
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -D -i > /dev/null 2> "$folder/controller.err" &
  echo $! > "$folder/controller.pid"
  for node in node1 node2; do
    slurmd -D -N "$node" > /dev/null 2> "$folder/$node.err" &
    echo $! > "$folder/$node.pid"
  done
  await sh -c '[ "$(sinfo -h -o %T -t idle -N | wc -l)" -eq 2 ]'
}

case $1 in
  start) start ;;
  stop) stop ;;
  *) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2 ;;
esac
