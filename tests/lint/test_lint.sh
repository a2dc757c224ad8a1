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
[ -z "${CCACHE_BASEDIR:-}" ] || CCACHE_BASEDIR=$copy
failures=0
cases=0
export COMPILERS=clang # one shows that the lint sees; the lint itself looks at both

# red PART WORDS...: the lint's PART must fail and say each of the WORDS; then the copy is as before.
red() {
    part=$1
    shift
    code=0
    ci/lint-determinism "$part" >log 2>&1 || code=$?
    for words in "$@"; do
        cases=$((cases + 1))
        if [ "$code" -eq 0 ] || ! grep -q -- "$words" log; then
            echo "exit $code, and nothing of \"$words\":"
            cat log
            failures=$((failures + 1))
        fi
    done
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
insert pack/sums.c <<'EOF'
#include <dirent.h>
struct dirent *vg_fault(const char *path);
struct dirent *vg_fault(const char *path) { DIR *folder = opendir(path); return folder ? readdir(folder) : NULL; }
EOF
insert measure/order.c <<'EOF'
#include <stdlib.h>
double vg_fault(const char *text);
double vg_fault(const char *text) { return strtod(text, NULL) * rand(); }
EOF
red objects "dsp/level.c sin" "pack/sums.c readdir" "measure/order.c rand"

insert format/wav.c <<'EOF'
#include <stdio.h>
int vg_fault(char *text, double x);
int vg_fault(char *text, double x) { return snprintf(text, 20, "%8.3f", x); }
EOF
insert plan/curve.c <<'EOF'
#include <stdlib.h>
void vg_fault(int *x, int (*compare)(const void *, const void *));
void vg_fault(int *x, int (*compare)(const void *, const void *)) { qsort(x, 9, sizeof *x, compare); }
EOF
red sources "compiler/format/wav.c:.*snprintf" "compiler/plan/curve.c:.*qsort"

# Bytes that nobody wrote, on their way into a shard.
sed -i 's/static const char bytes\[1500\] = "member";/char bytes[1500]; bytes[0] = 1;/' compiler/command/selftest/finish.c
red memory "ninitialised"

sed -i 's/-ffp-contract=off//' CMakeLists.txt
red sources "contraction is not switched off"
sed -i 's/-ffp-contract=off//' CMakeLists.txt
red objects "clang: a fused multiply-add"

echo "$((cases - failures)) faults of $cases caught"
[ "$failures" -eq 0 ]
