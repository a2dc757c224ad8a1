#!/bin/sh
# SPDX-License-Identifier: MIT
# ci/lint-determinism must see what it is there for: applies one fault after another to a copy of the tree and
# expects each to be named.
set -eu
top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT INT TERM

(cd "$top" && tar cf - CMakeLists.txt CMakePresets.json ci compiler specs tests) | (cd "$copy" && tar xf -)
cd "$copy"
failures=0
cases=0

# red PART WORDS: the lint's PART must fail and say WORDS; then the copy is as before.
red() {
    cases=$((cases + 1))
    if ci/lint-determinism "$1" >log 2>&1; then
        echo "not caught: $2"
        failures=$((failures + 1))
    elif ! grep -q -- "$2" log; then
        echo "red, but not for \"$2\":"
        cat log
        failures=$((failures + 1))
    fi
    rm -rf compiler CMakeLists.txt
    cp -Rp "$top/compiler" "$top/CMakeLists.txt" .
}
# insert FILE: what is on stdin, at the end of the file.
insert() { cat >>"compiler/$1"; }

if ! ci/lint-determinism sources objects; then
    echo "the tree itself is red"
    exit 1
fi

insert dsp/level.c <<'EOF'
#include <math.h>
double vg_fault(double x);
double vg_fault(double x) { return sin(x); }
EOF
red objects "dsp/level.c sin"

insert format/wav.c <<'EOF'
#include <stdio.h>
int vg_fault(char *text, double x);
int vg_fault(char *text, double x) { return snprintf(text, 20, "%8.3f", x); }
EOF
red sources "compiler/format/wav.c:.*snprintf"

insert pack/sums.c <<'EOF'
#include <dirent.h>
struct dirent *vg_fault(const char *path);
struct dirent *vg_fault(const char *path) { DIR *folder = opendir(path); return folder ? readdir(folder) : NULL; }
EOF
red objects "pack/sums.c readdir"

insert measure/order.c <<'EOF'
#include <stdlib.h>
double vg_fault(const char *text);
double vg_fault(const char *text) { return strtod(text, NULL) * rand(); }
EOF
red objects "measure/order.c rand"

insert plan/curve.c <<'EOF'
#include <stdlib.h>
void vg_fault(int *x, int (*compare)(const void *, const void *));
void vg_fault(int *x, int (*compare)(const void *, const void *)) { qsort(x, 9, sizeof *x, compare); }
EOF
red sources "compiler/plan/curve.c:.*qsort"

# Bytes that nobody wrote, on their way into a shard.
sed -i 's/static const char bytes\[1500\] = "member";/char bytes[1500]; bytes[0] = 1;/' compiler/command/selftest/finish.c
red memory "ninitialised"

sed -i 's/-ffp-contract=off//' CMakeLists.txt
red sources "contraction is not switched off"
sed -i 's/-ffp-contract=off//' CMakeLists.txt
red objects "clang: a fused multiply-add"

echo "$((cases - failures)) faults of $cases caught"
[ "$failures" -eq 0 ]
