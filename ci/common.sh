# SPDX-License-Identifier: MIT
# Shared by the scripts of this folder: where the checkout is, and how packages get onto a bare Debian 12.
# shellcheck shell=sh disable=SC2034
set -eu
top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

# What the compiler is built with, and the libraries it uses.
build_packages="gcc libc6-dev cmake ninja-build pkg-config libsndfile1-dev libflac-dev zlib1g-dev libarchive-dev
 libxxhash-dev libyaml-dev libssl-dev libjansson-dev libmicrohttpd-dev"
# Optional: MP3 decoded to the same samples on every machine (a hundred packages come with it).
mp3_packages="libavcodec-dev"
# Real speech for specs/demo.yaml.
speech_packages="alsa-utils pocketsphinx-testdata"

say() { printf '%s\n' "$*" >&2; }

# install PACKAGE...: those that are missing; as root only.
install() {
    missing=
    for package in "$@"; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$state" = installed ] || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        say "These Debian packages are missing and only root can install them. As root, run:"
        say "  apt-get update && apt-get install -y --no-install-recommends$missing"
        say "and then this script again."
        exit 2
    fi
    say "Installing:$missing"
    apt-get -qq update >/dev/null
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null
}

# build PRESET: configure and compile into build/PRESET.
build() {
    (cd "$top" && cmake --preset "$1" -DVG_TESTS="${2:-ON}" >/dev/null && cmake --build --preset "$1" -- --quiet)
}

# DuckDB's C library, which is in no Debian package: out of its package for node, where this machine has npm.
# Without it `unpack --layout parquet` and its test are left out.
duckdb() {
    case $(uname -m) in x86_64) arch=x64 ;; aarch64) arch=arm64 ;; *) return 0 ;; esac
    package=@duckdb/node-bindings-linux-$arch
    VG_DUCKDB=$top/build/duckdb/node_modules/$package/libduckdb.so
    export VG_DUCKDB
    [ ! -f "$VG_DUCKDB" ] && command -v npm >/dev/null || return 0
    say "Installing: $package"
    npm install --silent --no-audit --no-fund --no-save --prefix "$top/build/duckdb" "$package@1.5.6-r.1" >/dev/null ||
        say "DuckDB cannot be had here; its test is left out"
}

# What drives Chromium in tests/browser: playwright-core as its lock file pins it, into build/browser.
browser() {
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        install nodejs npm
    fi
    mkdir -p "$top/build/browser"
    cp "$top/tests/browser/package.json" "$top/tests/browser/package-lock.json" "$top/build/browser/"
    say "Installing: playwright-core"
    npm ci --silent --no-audit --no-fund --prefix "$top/build/browser" >/dev/null ||
        say "playwright-core cannot be had here; the tests in a browser fail"
}
