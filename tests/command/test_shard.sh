#!/bin/sh
# SPDX-License-Identifier: MIT
# Parts built apart and merged are the single build's bytes; what does not belong together is named.
. "$(dirname -- "$0")/lib.sh"
small=$VG_TOP/tests/command/small.yaml
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN

# Two thirds of these items are excluded: the tables of a part must carry them to the merge.
cat >excluding.yaml <<SPEC
extends: $small
name: excluding
on_label: exclude
on_below_jnd: exclude
splits:
  beep:
    categories: [volume, background_noise, speaking_speed, echo, voice_pitch, audio_roughness]
SPEC

# parts_of SPEC NAME N: build it whole and in N parts, and merge.
parts_of() {
    "$VOCALGRAD" build -q "$1" -o "$2-whole" >log 2>&1
    for i in $(seq "$3"); do
        expect "$2 part $i of $3" "$VOCALGRAD" build -q "$1" -o "$2-$3" --shard "$i/$3"
    done
    expect "$2 merged" "$VOCALGRAD" merge -q "$2-$3"/*.part-* -o "$2-$3-merged"
    expect "$2 in $3 parts is the single build" diff -r --exclude=.cache "$2-whole" "$2-$3-merged"
}
parts_of "$small" small 3
parts_of "$small" small 7
parts_of excluding.yaml excluding 4
expect "items were excluded" test "$(cat excluding-4/*.part-*/excluded.tsv | wc -l)" -gt 20
for part in small-3/*.part-* excluding-4/*.part-*; do expect "a part verifies" "$VOCALGRAD" verify -q "$part"; done
expect "in any order" "$VOCALGRAD" merge -q small-3/*-00003-of-* small-3/*-00001-of-* small-3/*-00002-of-* -o turned
expect "the same" diff -r --exclude=.cache small-whole turned

# --- Slurm's words ------------------------------------------------------------------------------------------
expect "a task of an array" env SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 "$VOCALGRAD" build -q "$small" -o slurm
expect "is that part" diff -r small-3/*-00002-of-* slurm/*-00002-of-00003
expect_exit 2 "number the array 1-N" env SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=2 "$VOCALGRAD" build "$small" -o no
expect_exit 2 "number the array 1-N" env SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=0 "$VOCALGRAD" build "$small" -o no
expect "--shard is stronger" env SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=1 "$VOCALGRAD" build -q "$small" -o slurm --shard 1/3

# --- what does not fit ----------------------------------------------------------------------------------------
expect_exit 2 "expected I/N" "$VOCALGRAD" build "$small" -o no --shard two
expect_exit 2 "part 4 of 3" "$VOCALGRAD" build "$small" -o no --shard 4/3
expect_exit 2 "7 such groups" "$VOCALGRAD" build "$small" -o no --shard 1/8
expect_exit 1 "part 2 of 3 is missing; build it with --shard 2/3" "$VOCALGRAD" merge small-3/*-00001-of-* small-3/*-00003-of-* -o no
expect_exit 1 "is part 1 of 3, and so is" "$VOCALGRAD" merge small-3/*-0000[123]-of-* slurm/*-00001-of-* -o no
expect_exit 1 "one of 7" "$VOCALGRAD" merge small-3/*-0000[12]-of-* small-7/*-00003-of-* -o no
expect_exit 1 "another name or version" "$VOCALGRAD" merge small-3/*-0000[12]-of-* excluding-4/*-00003-of-* -o no
expect_exit 1 "without --shard" "$VOCALGRAD" merge small-whole/* -o no
"$VOCALGRAD" build -q "$small" -o other --shard 3/3 --set pack.shard_bytes=2000000 --set version=0.1.0 >log 2>&1
expect_exit 1 "do not belong together" "$VOCALGRAD" merge small-3/*-0000[12]-of-* other/*-00003-of-* -o no
for file in manifest.jsonl excluded.tsv sources.csv release.json; do
    cp -r small-3 damaged
    printf 'x' | dd of="$(echo damaged/*-00002-of-*)/$file" bs=1 seek=20 conv=notrunc 2>/dev/null
    expect_exit 1 "$file" "$VOCALGRAD" merge damaged/*.part-* -o no
    rm -rf damaged
done
expect "nothing was made of any of them" test ! -e no
finish
