#!/bin/bash
# Fetches the Debian sources of the programs named, into FOLDER/NAME, with `apt-get source`. Uses package lists
# of its own below FOLDER, so that the system's list of sources stays as it is.
#
# usage: fetch.sh FOLDER SOURCE-PACKAGE…
set -euo pipefail
folder=$(realpath -m "$1")
shift
missing=()
for package in "$@"; do
  [ -d "$folder/$package" ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
lists=$folder/.apt
mkdir -p "$lists/lists/partial"
# The archives that this machine installs from, for sources.
sed -n 's/^deb /deb-src /p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list > "$lists/sources.list" 2> /dev/null || true
mkdir -p "$lists/parts"
for part in /etc/apt/sources.list.d/*.sources; do
  [ ! -e "$part" ] || sed 's/^Types:.*/Types: deb-src/' "$part" > "$lists/parts/$(basename "$part")"
done
apt=(apt-get -q -o Dir::Etc::SourceList="$lists/sources.list" -o Dir::Etc::SourceParts="$lists/parts"
     -o Dir::State::Lists="$lists/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update > /dev/null
command -v dpkg-source > /dev/null || { echo "fetch: dpkg-source is missing: install dpkg-dev" >&2; exit 1; }
for package in "${missing[@]}"; do
  scratch=$(mktemp -d -p "$folder")
  (cd "$scratch" && "${apt[@]}" source "$package" > /dev/null)
  mv "$scratch"/*/ "$folder/$package"
  rm -rf "$scratch"
  echo "fetch: $package"
done
