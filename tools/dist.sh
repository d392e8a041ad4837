#!/bin/bash
# A tarball of the sources as they are committed. The same commit gives the same bytes: git orders the files, their
# times are the commit's, and gzip writes neither name nor time.
# usage: dist.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(nestor VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
mkdir -p "$1"
git -c tar.umask=0022 archive --format=tar --prefix="nestor-$version/" HEAD | gzip -9n > "$1/nestor-$version.tar.gz"
(cd "$1" && sha256sum "nestor-$version.tar.gz")
