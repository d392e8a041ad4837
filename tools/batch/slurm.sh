#!/bin/bash
# A run of nestor in shards, as a job array of Slurm, and a job that merges the parts when all are there. Waits for both.
# SBATCH_OPTIONS has further options of sbatch, such as "--time=1:00:00 --mem=4G --partition=short".
#
# usage: slurm.sh SHARDS OUT COMMAND [OPTION…]      the exit status is that of one run
#
#   tools/batch/slurm.sh 100 report.sarif lint --format=sarif prog.bc
set -euo pipefail
[ $# -ge 3 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
nestor=$(command -v "${NESTOR:-nestor}")
shards=$1 out=$(realpath -m "$2")
shift 2
parts=$out.parts
mkdir -p "$parts"
rm -f "$parts"/*.log
run=$(printf '%q ' "$nestor" "$@")
# shellcheck disable=SC2086
array=$(sbatch --parsable ${SBATCH_OPTIONS:-} --job-name=nestor --array="1-$shards" --output="$parts/%a.log" \
  --wrap="exec $run --shard=\$SLURM_ARRAY_TASK_ID/$shards -o $(printf '%q' "$parts")/\$SLURM_ARRAY_TASK_ID")
merge="cd $(printf '%q' "$parts") && exec $(printf '%q' "$nestor") merge -o $(printf '%q' "$out") \$(seq $shards)"
# If a shard fails, the merge can never begin: it is cancelled, and sbatch tells.
# shellcheck disable=SC2086
status=0
sbatch --wait ${SBATCH_OPTIONS:-} --job-name=nestor-merge --dependency="afterok:$array" --kill-on-invalid-dep=yes \
  --output="$parts/merge.log" --wrap="$merge" > /dev/null || status=$?
if [ ! -e "$parts/merge.log" ]; then
  echo "slurm: a shard failed:" >&2
  cat "$parts"/*.log >&2
  exit 2
fi
cat "$parts/merge.log" >&2
exit "$status"
