#!/bin/bash
# A run of nestor in shards, with GNU parallel: on this machine, or on those that PARALLEL_OPTIONS names
# (such as "--sshloginfile hosts --workdir ."). What was done before an interruption is not done again.
#
# usage: parallel.sh SHARDS OUT COMMAND [OPTION…]      the exit status is that of one run
#
#   tools/batch/parallel.sh 16 report.sarif lint --format=sarif prog.bc
set -euo pipefail
[ $# -ge 3 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
# moreutils has another program of this name.
parallel --version 2> /dev/null < /dev/null | grep -q '^GNU parallel' ||
  { echo "parallel.sh: GNU parallel is missing (package 'parallel')" >&2; exit 2; }
nestor=${NESTOR:-nestor}
shards=$1 out=$2
shift 2
mkdir -p "$out.parts"
# shellcheck disable=SC2086
seq "$shards" | parallel ${PARALLEL_OPTIONS:-} --quote --joblog "$out.parts/log" --resume-failed --halt now,fail=1 \
  "$nestor" "$@" --shard="{}/$shards" -o "$out.parts/{}" || exit 2
parts=()
for ((i = 1; i <= shards; ++i)); do parts+=("$out.parts/$i"); done
exec "$nestor" merge -o "$out" "${parts[@]}"
