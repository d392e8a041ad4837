#!/bin/bash
# Builds the Debian packages into a folder and has lintian look at them. What it finds and may remain is in
# cmake/debian/lintian.txt, with the reason.
# usage: package.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "$1")
build=build/release
architecture=$(dpkg-architecture -qDEB_HOST_MULTIARCH)

# The objects of `make`, configured for Debian's folders; afterwards the tree is as it was.
configure() {
  cmake --preset release -DNESTOR_PACKAGE="$1" -DCMAKE_INSTALL_PREFIX="$2" -DCMAKE_INSTALL_LIBDIR="$3" > /dev/null
}
trap 'configure OFF /usr/local lib' EXIT
configure ON /usr "lib/$architecture"
targets=(nestor nestor_shared nestor_static)
[ ! -e $build/python/cmake_install.cmake ] || targets+=(nestor_python)
cmake --build $build --target "${targets[@]}"
mkdir -p "$folder"
rm -f "$folder"/*.deb
(umask 022 && SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)} \
  cpack --config $build/CPackConfig.cmake -G DEB -B "$folder" > $build/cpack.log 2>&1) || { tail -20 $build/cpack.log; exit 1; }
rm -rf "$folder/_CPack_Packages"
ls -l "$folder"/*.deb

if ! command -v lintian > /dev/null; then
  echo "lintian is missing: the packages are not looked at"
  exit 0
fi
allowed=$(sed -n 's/^\([a-z0-9-]*\):.*/\1/p' cmake/debian/lintian.txt | paste -sd, -)
lintian --allow-root --fail-on error,warning --suppress-tags "$allowed" "$folder"/*.deb
echo "lintian: nothing but what cmake/debian/lintian.txt lists"
