#!/bin/bash
# Builds the Debian packages into a folder and has lintian look at them. What it finds and may remain is in
# cmake/debian/lintian.txt, with the reason.
# usage: package.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "$1")
build=$folder/build

# /usr, so that CMake knows Debian's folders for libraries; without the tests.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DCMAKE_INSTALL_PREFIX=/usr \
  -DNESTOR_PRECOMPILED=ON -DNESTOR_TESTS=OFF -DNESTOR_PACKAGE=ON
cmake --build "$build"
rm -f "$folder"/*.deb "$build"/*.deb
(cd "$build" && umask 022 && SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)} cpack -G DEB > cpack.log) \
  || { tail -20 "$build/cpack.log"; exit 1; }
mv "$build"/*.deb "$folder"
ls -l "$folder"/*.deb

if ! command -v lintian > /dev/null; then
  echo "lintian is missing: the packages are not looked at"
  exit 0
fi
allowed=$(sed -n 's/^\([a-z0-9-]*\):.*/\1/p' cmake/debian/lintian.txt | paste -sd, -)
lintian --allow-root --fail-on error,warning --suppress-tags "$allowed" "$folder"/*.deb
echo "lintian: nothing but what cmake/debian/lintian.txt lists"
