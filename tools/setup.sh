#!/bin/bash
# Installs the Debian packages of packages.txt, and those named as arguments, that are missing. Does
# nothing, and needs neither network nor rights, if all are there.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v dpkg-query > /dev/null; then
  echo "setup: no Debian here; the packages that are needed are listed in packages.txt" >&2
  exit 0
fi

missing=()
while read -r package; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done < <(grep -v -e '^#' -e '^[[:space:]]*$' packages.txt; [ $# -eq 0 ] || printf '%s\n' "$@")

if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

echo "setup: installing ${missing[*]}"
sudo=()
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
