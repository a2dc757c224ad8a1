#!/bin/sh
# SPDX-License-Identifier: MIT
# The verb selftest: what it prints, and that it says no.  $VG_ALTERED is the program with one known answer altered.
. "$(dirname -- "$0")/lib.sh"
folder=$VG_TOP/compiler/command/selftest

expect_exit 0 "^all [0-9]* vectors [0-9a-f]\{32\} ok$" "$VOCALGRAD" selftest
"$VOCALGRAD" selftest >lines
expect "a line for each vector and one for all" test "$(wc -l <lines)" -eq "$(($(grep -c '^    {' "$folder/expected.c") + 1))"
expect "the same again" sh -c "'$VOCALGRAD' selftest | cmp - lines"
expect "expected.c is what it prints" sh -c "'$VOCALGRAD' selftest --print | cmp - '$folder/expected.c'"
expect "every value of a vector" test "$("$VOCALGRAD" selftest --values "exact/pow" | grep -c '^[0-9a-f]\{16\}$')" -eq 4096
expect_exit 2 "no vector is called exact/tan" "$VOCALGRAD" selftest --values exact/tan
expect "no folder is left behind" sh -c "mkdir tmp && TMPDIR=tmp '$VOCALGRAD' selftest >/dev/null && rmdir tmp"

expect_exit 1 "^exact/log2: error: found [0-9a-f]\{32\}, expected x[0-9a-f]*" "$VG_ALTERED" selftest
"$VG_ALTERED" selftest >altered 2>/dev/null
expect "stops at the first difference" test "$(tail -n 1 altered | cut -d ' ' -f 1)" = exact/log

finish
