#!/bin/sh
# SPDX-License-Identifier: MIT
# Words and exit codes: help on stdout within 80 columns, errors on stderr with their place.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/specs/beep.yaml

for verb in "" $("$VOCALGRAD" --help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'); do
    # shellcheck disable=SC2086
    "$VOCALGRAD" $verb --help >help 2>words
    expect "help $verb on stdout" test -s help
    expect "nothing on stderr" test ! -s words
    expect "at most 80 columns" awk 'length($0) > 80 { print; exit 1 }' help
done
expect_exit 0 "^vocalgrad [0-9]" "$VOCALGRAD" --version
expect_exit 2 "unknown verb biuld; did you mean build" "$VOCALGRAD" biuld
expect_exit 2 "did you mean --jobs" "$VOCALGRAD" build --job=2 "$spec"
expect_exit 2 "whole number" "$VOCALGRAD" build -j0 "$spec"
expect_exit 2 "needs a value" "$VOCALGRAD" render "$spec" x -o
expect_exit 2 "expected: vocalgrad explain SPEC ITEM" "$VOCALGRAD" explain "$spec"
expect_exit 2 "no such item" "$VOCALGRAD" render "$spec" nothing -o x.flac
expect_exit 2 "\\.flac or -o FILE\\.wav" "$VOCALGRAD" render "$spec" nothing -o x.mp3
expect_exit 5 "nowhere.yaml" "$VOCALGRAD" check nowhere.yaml
expect_exit 0 "960 items" "$VOCALGRAD" check "$spec"
expect_exit 3 "did you mean volume" "$VOCALGRAD" check "$spec" --only category=volum
expect_exit 3 "set:1:" "$VOCALGRAD" check "$spec" --set jump_at=0
expect_exit 5 "cannot" "$VOCALGRAD" build "$spec" --only category=volume --only tier=low -o /proc/nowhere
expect "data on stdout, words on stderr" sh -c "$VOCALGRAD plan $spec 2>/dev/null | awk -F'\t' 'NF != 12 { exit 1 } END { exit NR != 961 }'"
expect "JSON lines" sh -c "$VOCALGRAD plan -q --json $spec | python3 -c 'import json, sys; assert len([json.loads(l) for l in sys.stdin]) == 960'"
expect_exit 5 "standard output" sh -c "$VOCALGRAD plan $spec >/dev/full"
expect "the manual page is sound" sh -c "$VOCALGRAD --manual | grep -q '^.TH VOCALGRAD 1'"
expect "the completion is sound" bash -c "source <($VOCALGRAD --completion) && COMP_WORDS=(vocalgrad bui) COMP_CWORD=1 && _vocalgrad && test \"\${COMPREPLY[0]}\" = build"

finish
