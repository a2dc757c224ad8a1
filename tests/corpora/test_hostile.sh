#!/bin/sh
# SPDX-License-Identifier: MIT
# Every hostile case gives the outcome that hostile.tsv says, and a folder of hostile names is read as it is.
. "${VG_TOP:?the checkout}/tests/corpora/lib.sh"

python3 "$VG_TOP/tests/corpora/check_hostile.py" "$VOCALGRAD" "$corpora/hostile" \
    "$VG_TOP/tests/corpora/hostile.tsv" "$VG_TOP/specs/paper.yaml" >cases.log
expect "the cases of hostile.tsv" grep -q "^161 of 161 hostile cases" cases.log
grep FAILED cases.log

# A folder takes every name that can stand in a release, and says which cannot and which are left alone.
cp -a "$corpora/hostile/names" names
spec names.yaml "{kind: generic}"
expect_exit 4 "its name is not UTF-8; rename it" "$VOCALGRAD" check --sources names.yaml --set root=names
expect_exit 4 "the id holds a control character (byte 0x0a at 4)" "$VOCALGRAD" check --sources names.yaml --set root=names
expect_exit 4 "3 files are left alone, having no sound file's name" "$VOCALGRAD" check --sources names.yaml --set root=names
expect_exit 4 "48000 Hz: 13 sources" "$VOCALGRAD" check --sources names.yaml --set root=names
expect "nothing was run" test ! -e PWNED

# A link back into its own folder.
mkdir deep && cp "$corpora/hostile/audio/pcm_u8.wav" deep && ln -s . deep/again
expect_exit 4 "does a link lead back into its own folder" "$VOCALGRAD" check names.yaml --set root=deep

# One speaker only: a choice of several is refused, and ends.
spec one.yaml "{kind: commonvoice-spontaneous, select: {count: 4, speakers: 2}}"
expect_exit 4 "4 clips of 2 speakers are asked for" "$VOCALGRAD" select one.yaml \
    --set root="$corpora/hostile/sps/one_speaker" -o one.csv
expect "no table is left" test ! -e one.csv
# The robust detector finds the speech where it is.
mkdir spans && cp "$corpora/hostile/audio/lead_silence_20s.wav" "$corpora/hostile/audio/starts_at_sample_0.wav" spans
spec spans.yaml "{kind: generic, select: {count: 2}}"
echo "span: robust" >>spans.yaml
expect "select from two clips" "$VOCALGRAD" select spans.yaml --set root=spans -o spans.csv
expect "speech after 20 s of silence" grep -q "^lead_silence_20s,.*,True,20.0[0-9]*,23.08" spans.csv
expect "speech from sample 0 on" grep -q "^starts_at_sample_0,.*,True,0.000000,2.000000," spans.csv
finish
