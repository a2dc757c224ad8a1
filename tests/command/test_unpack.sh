#!/bin/sh
# SPDX-License-Identifier: MIT
# unpack: what other people's loaders find, on the shipped specs and on names that no file system likes.
. "$(dirname -- "$0")/lib.sh"
reader=$VG_TOP/tests/command/read_layouts.py
few= # sanitizers are slow: fewer items of the large releases
[ "${VG_SANITIZED:-0}" != 1 ] || few="--only tier=high --only curve=linear,jump"

for spec in "$VG_TOP/specs/beep.yaml" "$VG_TOP/specs/demo.yaml" "$VG_TOP/tests/command/odd.yaml"; do
    spec_name=$(basename "$spec" .yaml)
    only=$few
    [ "$spec_name" != odd ] || only=
    # shellcheck disable=SC2086
    release=$("$VOCALGRAD" build -q "$spec" -o out --set on_label=flag $only 2>log)
    expect "$spec_name is built" test -d "$release"
    expect "$spec_name: every layout's names and the shards' by WebDataset's rules" \
        python3 "$VG_TOP/tests/command/read_release.py" "$release"
    for shard in "$release"/*.tar.flac; do
        expect "$spec_name: GNU tar" tar -tf "$shard"
        expect "$spec_name: bsdtar" bsdtar -tf "$shard"
    done
    for layout in paper hub flat; do
        expect "$spec_name: unpack $layout" "$VOCALGRAD" unpack "$release" -o "$spec_name-$layout" --layout "$layout"
        expect "$spec_name: $layout as its loader reads it" python3 "$reader" "$release" "$layout" "$spec_name-$layout"
    done
done
expect "a split may be called like a device" test -d odd-paper/_aux-*
expect "the original ids are in the manifest" grep -q '"source":"CON.x"' odd-hub/manifest.jsonl

release=$("$VOCALGRAD" build -q "$VG_TOP/tests/command/odd.yaml" -o paper --set on_label=flag --set pack.keys=paper 2>log)
expect "keys that are the paper's names" "$VOCALGRAD" unpack "$release" -o keys --layout hub
expect "are apart without case too" python3 "$reader" "$release" hub keys

# --- formats ----------------------------------------------------------------------------------------------
release=out/vocalgrad-odd-0.1.0+local.*
expect "wav for the hub" "$VOCALGRAD" unpack $release -o wavs --layout hub --format wav
expect "holds the same samples" python3 "$reader" $release hub wavs wav
expect "flac for the paper's code" "$VOCALGRAD" unpack $release -o flacs --layout paper --format=flac
expect "holds the same files" python3 "$reader" $release paper flacs flac
expect "one job or many" "$VOCALGRAD" unpack $release -o one --layout paper -j1
expect "the same bytes" diff -r one odd-paper

# --- whole or not at all -------------------------------------------------------------------------------------
mkdir empty
expect "into an empty folder" "$VOCALGRAD" unpack $release -o empty/ --layout flat
expect_exit 5 "already there" "$VOCALGRAD" unpack $release -o empty --layout flat
expect_exit 2 "no layout; expected paper, hub, flat or parquet" "$VOCALGRAD" unpack $release -o x --layout zip
expect_exit 2 "expected flac or wav" "$VOCALGRAD" unpack $release -o x --layout flat --format mp3
expect_exit 2 "expected -o DIR" "$VOCALGRAD" unpack $release --layout flat
expect_exit 5 "release.json" "$VOCALGRAD" unpack nowhere -o x --layout flat
cp -r $release broken
shard=$(ls broken/*train_01*.tar.flac)
printf '\377' | dd of="$shard" bs=1 seek=3000 conv=notrunc 2>log
expect_exit 1 "train_01-00000-of-00001" "$VOCALGRAD" unpack broken -o x --layout flat
expect_exit 1 "train_01-00000-of-00001" "$VOCALGRAD" unpack broken -o x --layout paper
expect "nothing is left of what failed" sh -c '[ ! -e x ] && [ ! -e x.tmp ]'
"$VOCALGRAD" unpack -q out/vocalgrad-beep* -o killed --layout paper >log 2>&1 &
pid=$!
sleep 0.3
kill -9 "$pid" && wait "$pid" 2>/dev/null
expect "nothing under the name after a kill" test ! -e killed
expect "the next one succeeds" "$VOCALGRAD" unpack -q out/vocalgrad-beep* -o killed --layout paper
expect "and is whole" diff -r killed beep-paper

finish
