#!/bin/bash
# The hook of .pre-commit-hooks.yaml: models that have properties of their own are checked by those, others by the .ctl
# file beside them; one that has neither is only read.
set -u
status=0
for model in "$@"; do
  formulas=${model%.*}.ctl
  case $model in
    *.rsm | *.pds)
      if [ -e "$formulas" ]; then
        nestor check "$model" "$formulas" || status=1
      else
        nestor info "$model" > /dev/null || status=1
      fi
      ;;
    *)
      nestor check "$model" || status=1
      ;;
  esac
done
exit $status
