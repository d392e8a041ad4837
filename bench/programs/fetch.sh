#!/bin/bash
# Fetches the Debian sources of the programs named, into FOLDER/NAME, with `apt-get source`. Uses package lists
# of its own below FOLDER, so that the system's list of sources stays as it is. The status is 1 if one could not be
# fetched; the others are there.
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
options=(-o Dir::Etc::SourceList="$lists/sources.list" -o Dir::Etc::SourceParts="$lists/parts"
         -o Dir::State::Lists="$lists/lists" -o APT::Sandbox::User=root -o Acquire::Retries=3)
apt-get -q "${options[@]}" update > /dev/null
command -v dpkg-source > /dev/null || { echo "fetch: dpkg-source is missing: install dpkg-dev" >&2; exit 1; }
# The newest version first: an archive may still list what it no longer has.
fetch() {
  local package=$1 scratch versions
  mapfile -t versions < <(apt-cache "${options[@]}" showsrc --only-source "$package" 2> /dev/null |
                          sed -n 's/^Version: //p' | sort -u -V -r)
  [ ${#versions[@]} -gt 0 ] || { echo "E: no source package '$package' in the archive's lists" >&2; return 1; }
  for version in "${versions[@]}"; do
    scratch=$(mktemp -d -p "$folder")
    if (cd "$scratch" && apt-get -q "${options[@]}" source "$package=$version" > /dev/null); then
      mv "$scratch"/*/ "$folder/$package"
      rm -rf "$scratch"
      echo "fetch: $package $version"
      return
    fi
    rm -rf "$scratch"
  done
  return 1
}

status=0
for package in "${missing[@]}"; do
  fetch "$package" || status=1
done
exit "$status"
