#!/bin/bash
# Builds real programs from Debian's sources with `nestor cc`, which leaves their bitcode as FOLDER/NAME.bc.
#
# usage: build.sh NESTOR FOLDER [PROGRAM…]      without programs: all of them
#
# What the builds themselves need (libevent-dev, libpcre2-dev, libssl-dev, libncurses-dev, zlib1g-dev, tcl, bison,
# pkg-config, autoconf, automake, dpkg-dev) is installed with tools/setup.sh. Two are also built without the wrapper, by
# the recipe of docs/c-programs.md: memcached-lto (autotools) and ninja-lto (CMake). JOBS=N limits what runs at once.
set -euo pipefail
nestor=$(realpath "$1")
folder=$(realpath -m "$2")
shift 2
here=$(dirname "$(realpath "$0")")
all=(bzip2 lua memcached memcached-lto sshd nginx redis sqlite3 git ninja ninja-lto
  gzip less minigzip diff find patch tar tree wget xz
  dnsmasq lighttpd tmux
  chronyd cron rsync stunnel units
  bc ed file nano)
[ $# -gt 0 ] || set -- "${all[@]}"
cc="$nestor cc"
jobs=${JOBS:-$(nproc)}
export CFLAGS="-g -O0"  # the bitcode is made so whatever it says; the program beside it is made faster
declare -A package=([bzip2]=bzip2 [lua]=lua5.4 [memcached]=memcached [memcached-lto]=memcached [sshd]=openssh
  [nginx]=nginx [redis]=redis [sqlite3]=sqlite3 [git]=git [ninja]=ninja-build
  [ninja-lto]=ninja-build [gzip]=gzip [less]=less [minigzip]=zlib [diff]=diffutils [find]=findutils
  [patch]=patch [tar]=tar [tree]=tree [wget]=wget [xz]=xz-utils [dnsmasq]=dnsmasq [lighttpd]=lighttpd [tmux]=tmux
  [chronyd]=chrony [cron]=cron [rsync]=rsync [stunnel]=stunnel4 [units]=units
  [bc]=bc [ed]=ed [file]=file [nano]=nano)

lto_flags=(CC=clang-19 CFLAGS="-g -O0 -flto -Xclang -disable-O0-optnone" AR=llvm-ar-19 RANLIB=llvm-ranlib-19
  LDFLAGS="-flto -fuse-ld=lld-19 -Wl,--save-temps")

# Each function runs in a copy of the sources and prints the path of the bitcode.
build_bzip2() { make -s libbz2.a CC="$cc" && make -s bzip2.o CC="$cc" && $cc -o bzip2 bzip2.o libbz2.a && echo bzip2.bc; }
build_lua() {
  cd src
  local sources
  sources=$(ls ./*.c | grep -v luac.c)
  echo "#define DEB_HOST_MULTIARCH \"$(dpkg-architecture -qDEB_HOST_MULTIARCH)\"" > lua5.4-deb-multiarch.h
  # shellcheck disable=SC2086
  $cc -std=gnu99 -DLUA_USE_POSIX -o lua $sources -lm && echo src/lua.bc
}
build_memcached() { CC=$cc ./configure -q && make -s -j "$jobs" memcached && echo memcached.bc; }
build_memcached-lto() {
  env "${lto_flags[@]}" ./configure -q && make -s -j "$jobs" memcached && echo memcached.0.0.preopt.bc
}
build_sshd() { touch configure && CC=$cc ./configure -q --without-pam --without-selinux && make -s -j "$jobs" sshd && echo sshd.bc; }
build_nginx() {
  ./configure --with-cc="$cc" --without-http_rewrite_module --without-http_gzip_module && make -s -j "$jobs" &&
    echo objs/nginx.bc
}
build_redis() {
  make -s -j "$jobs" CC="$cc" MALLOC=libc OPTIMIZATION=-O0 USE_SYSTEMD=no redis-server && echo src/redis-server.bc
}
build_sqlite3() {
  CC=$cc ./configure -q --disable-tcl --disable-readline --disable-shared && make -s -j "$jobs" sqlite3 && echo sqlite3.bc
}
build_git() {
  make -s -j "$jobs" CC="$cc" NO_GETTEXT=1 NO_CURL=1 NO_EXPAT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1 git && echo git.bc
}
build_ninja() {
  CXX="$nestor c++" cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=OFF &&
    cmake --build build --target ninja && echo build/ninja.bc
}

build_ninja-lto() {
  local flags="-g -O0 -flto -Xclang -disable-O0-optnone"
  cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=None -DBUILD_TESTING=OFF -DCMAKE_C_COMPILER=clang-19 \
    -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_AR="$(command -v llvm-ar-19)" \
    -DCMAKE_RANLIB="$(command -v llvm-ranlib-19)" -DCMAKE_EXE_LINKER_FLAGS="-flto -fuse-ld=lld-19 -Wl,--save-temps" &&
    cmake --build build --target ninja && echo build/ninja.0.0.preopt.bc
}

# Configured with the compiler that the wrapper calls, which is faster; made without what would make the files again
# that the sources come with.
configured() { CC=clang-19 ./configure -q "$@"; }
made() { make -s -j "$jobs" CC="$cc" AUTOCONF=: AUTOMAKE=: ACLOCAL=: AUTOHEADER=: MAKEINFO=: "$@"; }
build_gzip() { configured && made -C lib && made version.c version.h && made gzip && echo gzip.bc; }
build_less() { configured && made less && echo less.bc; }
build_minigzip() { CC=clang-19 ./configure --static && made minigzip && echo minigzip.bc; }
build_diff() {
  configured --disable-nls && made -C lib && made -C src version.c version.h && made -C src diff && echo src/diff.bc
}
build_find() { configured --disable-nls && made -C gl && made -C lib && made -C find find && echo find/find.bc; }
build_patch() { configured && made -C lib && made -C src patch && echo src/patch.bc; }
build_tar() {
  FORCE_UNSAFE_CONFIGURE=1 configured --disable-nls && made -C gnu && made -C lib && made -C src tar && echo src/tar.bc
}
build_tree() { made tree && echo tree.bc; }
build_wget() {
  configured --disable-nls --with-ssl=openssl --without-libpsl && made -C lib && made -C src wget && echo src/wget.bc
}
build_xz() {
  CC=$cc ./configure -q --disable-nls --disable-shared && made -C src/liblzma && made -C src/xz xz && echo src/xz/xz.bc
}
build_dnsmasq() { made CFLAGS="$CFLAGS" && echo src/dnsmasq.bc; }
build_lighttpd() {
  # Which modules a static one has is the builder's choice: those that need no other library.
  sed -n 's/^add_and_install_library(\(mod_[a-z_0-9]*\) .*/PLUGIN_INIT(\1)/p' src/CMakeLists.txt > src/plugin-static.h
  CC="$cc" cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DBUILD_STATIC=ON &&
    cmake --build build --target lighttpd -j "$jobs" && echo build/build/lighttpd.bc
}
build_tmux() { configured && made tmux && echo tmux.bc; }
build_chronyd() { CC=$cc ./configure && made chronyd && echo chronyd.bc; }
build_cron() { made cron && echo cron.bc; }
build_rsync() {
  configured --disable-openssl --disable-xxhash --disable-zstd --disable-lz4 --disable-md2man && made rsync && echo rsync.bc
}
build_stunnel() { configured && made -C src stunnel && echo src/stunnel.bc; }
build_units() { configured && made units && echo units.bc; }
build_bc() { configured && made -C lib && made -C bc && echo bc/bc.bc; }
build_ed() { ./configure CC="$cc" CFLAGS="$CFLAGS" && made CFLAGS="$CFLAGS" && echo ed.bc; }
build_file() { configured --disable-shared && made -C src && echo src/file.bc; }
build_nano() { configured --disable-nls && made -C lib && made -C src revision.h && made -C src nano && echo src/nano.bc; }

mkdir -p "$folder"
for program in "$@"; do
  [ -e "$folder/$program.bc" ] && continue
  "$here/fetch.sh" "$folder/sources" "${package[$program]}" || continue
  rm -rf "$folder/$program"
  cp -a "$folder/sources/${package[$program]}" "$folder/$program"
  if result=$(cd "$folder/$program" && "build_$program" 2> "$folder/$program.log" | tee -a "$folder/$program.log" | tail -n 1) &&
    cp "$folder/$program/$result" "$folder/$program.bc"; then
    echo "build: $program"
  else
    echo "build: $program failed, see $folder/$program.log" >&2
  fi
done
