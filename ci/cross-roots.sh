# SPDX-License-Identifier: MIT
# Sourced by ci/cross: the compiler's libraries for other machines, each set in a root of its own under $roots.
# Debian's apt, told that it serves another architecture and an empty system, resolves and downloads the packages;
# they are unpacked, not installed, so the host's packages stay as they are and no root rights are needed.
# shellcheck shell=sh
roots=${VG_CROSS:-${XDG_CACHE_HOME:-$HOME/.cache}/vocalgrad-cross}

root_packages="libc6-dev libsndfile1-dev libflac-dev zlib1g-dev libarchive-dev libxxhash-dev libyaml-dev libssl-dev
 libjansson-dev"
musl_sources="libsndfile flac zlib libarchive xxhash libyaml openssl jansson"

# apt_for FOLDER ARCHITECTURE TYPE: settings of an apt with a state of its own; TYPE is deb or deb-src.
apt_for() {
    mkdir -p "$1/apt/lists/partial" "$1/apt/archives/partial"
    : >"$1/apt/status"
    suite=$(sed -n "s/^VERSION_CODENAME=//p" /etc/os-release)
    cat /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources >"$1/apt/host" 2>/dev/null || true
    mirror=$(sed -n -e 's/^URIs: *//p' -e 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' "$1/apt/host" | sed 1q)
    for part in "$suite" "$suite-updates"; do
        echo "$3 [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $part main"
    done >"$1/apt/sources.list"
    cat >"$1/apt.conf" <<EOF
APT::Architecture "$2";
APT::Architectures { "$2"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Dir::State "$1/apt";
Dir::State::status "$1/apt/status";
Dir::Cache "$1/apt";
Dir::Etc::sourcelist "$1/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
EOF
    APT_CONFIG=$1/apt.conf apt-get -qq update
}

# ready FOLDER WHAT: was FOLDER made of just this?  done_with FOLDER WHAT: it is now.
ready() { [ "$(cat "$1/made-of" 2>/dev/null)" = "$2" ]; }
done_with() { printf '%s\n' "$2" >"$1/made-of"; }

# debian_root ARCHITECTURE PROCESSOR TRIPLET COMPILER [FLAGS]: unpack the packages into $roots/ARCHITECTURE/root and
# write the CMake toolchain file beside it.
debian_root() {
    here=$roots/$1
    if ! ready "$here" "$root_packages"; then
        say "Unpacking Debian's libraries for $1"
        rm -rf "$here"
        apt_for "$here" "$1" deb
        # shellcheck disable=SC2086
        APT_CONFIG=$here/apt.conf apt-get -qq -y --download-only install $root_packages >/dev/null
        mkdir "$here/root"
        for package in "$here"/apt/archives/*.deb; do
            dpkg-deb -x "$package" "$here/root"
        done
        rm -rf "$here/apt"
        done_with "$here" "$root_packages"
    fi
    cat >"$here/$4.cmake" <<EOF
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $2)
set(CMAKE_C_COMPILER $4)
set(CMAKE_C_COMPILER_TARGET $3)
set(CMAKE_SYSROOT "$here/root")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "$here/root/usr/lib/$3/pkgconfig:$here/root/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "$here/root")
EOF
}

# musl_library FOLDER OPTION...: one library with a CMake build, static, into the musl root.
musl_library() {
    folder=$1
    shift
    cmake -S "$here/src/$folder" -B "$here/src/build-$folder" -G Ninja --toolchain "$here/musl.cmake" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$here/root" -DCMAKE_INSTALL_LIBDIR=lib \
        -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DBUILD_PROGRAMS=OFF -DBUILD_EXAMPLES=OFF "$@"
    ninja -C "$here/src/build-$folder" install
}

# pkg_config NAME VERSION LIBRARY: for libraries whose build does not write the file.
pkg_config() {
    printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s -l%s\nCflags: -I%s\n' "$1" "$1" "$2" \
        "$here/root/lib" "$3" "$here/root/include" >"$here/root/lib/pkgconfig/$1.pc"
}

# Hash functions only, and nothing that musl's bare headers lack.
musl_openssl() {
    cd "$here/src/openssl"
    CC=musl-gcc ./Configure linux-generic64 --prefix="$here/root" --libdir=lib no-asm no-shared no-dso no-engine \
        no-async no-tests no-ui-console no-sock no-secure-memory no-afalgeng no-ktls no-legacy no-ec no-dh no-dsa \
        no-cms no-ct no-ocsp no-srp no-ts no-cmp no-des no-camellia no-aria no-seed no-idea no-bf no-cast no-rc2 \
        no-rc4 no-sm2 no-sm3 no-sm4 no-whirlpool no-rmd160 no-mdc2 no-md4 no-chacha no-poly1305 no-siphash \
        no-blake2 no-scrypt -DOPENSSL_NO_SECURE_MEMORY
    make -j "$(nproc)" build_generated
    make -j "$(nproc)" libcrypto.a
    cp libcrypto.a "$here/root/lib/"
    cp -R include/openssl "$here/root/include/"
    pkg_config libcrypto 3.0 crypto
}

musl_libraries() (
    set -e
    cd "$here/src"
    for archive in *.orig.tar.*[!c]; do
        tar xf "$archive"
    done
    for source in $musl_sources; do # whatever the version: one name
        mv "$source"-[0-9]* "$source" 2>/dev/null || mv xxHash-* "$source"
    done
    musl_library flac -DBUILD_CXXLIBS=OFF -DBUILD_DOCS=OFF -DINSTALL_MANPAGES=OFF -DWITH_OGG=OFF
    musl_library libyaml
    musl_library jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON
    musl_library xxhash/cmake_unofficial -DXXHASH_BUILD_XXHSUM=OFF
    musl_library libsndfile -DENABLE_EXTERNAL_LIBS=OFF -DENABLE_MPEG=OFF
    musl_library libarchive -DENABLE_TEST=OFF -DENABLE_OPENSSL=OFF -DENABLE_TAR=OFF -DENABLE_CPIO=OFF \
        -DENABLE_CAT=OFF -DENABLE_ACL=OFF -DENABLE_XATTR=OFF -DENABLE_ICONV=OFF -DENABLE_LIBXML2=OFF \
        -DENABLE_EXPAT=OFF -DENABLE_ZLIB=OFF -DENABLE_BZip2=OFF -DENABLE_LZMA=OFF -DENABLE_ZSTD=OFF \
        -DENABLE_LZ4=OFF -DENABLE_LIBB2=OFF
    rm -f "$here"/root/lib/lib*.so* # which some build all the same
    pkg_config yaml-0.1 0.2.5 yaml
    (cd zlib && CC=musl-gcc ./configure --static --prefix="$here/root" && make libz.a install)
    musl_openssl
)

# The same libraries from Debian's sources, static, for musl: $roots/musl/root and its toolchain file.
musl_root() {
    here=$roots/musl
    ready "$here" "$musl_sources" && return 0
    say "Building the libraries for musl from Debian's sources (three minutes)"
    rm -rf "$here"
    apt_for "$here" "$(dpkg --print-architecture)" deb-src
    mkdir -p "$here/src"
    cat >"$here/musl.cmake" <<EOF
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_ROOT_PATH "$here/root")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(ENV{PKG_CONFIG_LIBDIR} "$here/root/lib/pkgconfig")
EOF
    # shellcheck disable=SC2086
    (cd "$here/src" && APT_CONFIG=$here/apt.conf apt-get -qq source --download-only $musl_sources)
    musl_libraries >"$here/log" 2>&1 || {
        say "the libraries for musl do not build; see $here/log"
        return 1
    }
    rm -rf "$here/src" "$here/apt"
    done_with "$here" "$musl_sources"
}
