#!/bin/sh
# SPDX-License-Identifier: MIT
# on_bad_source: skip: a faulty row is left out like a faulty recording, and sources.csv says why, without a path
# of this machine.  check --sources lists all there is to say.
. "${VG_TOP:?the checkout}/tests/corpora/lib.sh"

cp -a "$corpora/hostile/sps/mixed_audio" mixed
table=mixed/sps-corpus-4.0-2026-06-12-cs/ss-corpus-cs.tsv
printf 'a row\twith few fields\n' >>"$table"
awk -F '\t' -v OFS='\t' 'NR == 2 { $4 = "abc" } { print }' "$table" >edited && cp edited "$table"
spec all.yaml "{kind: commonvoice-spontaneous}"
expect_exit 4 "ss-corpus-cs.tsv:16: error: 2 fields; the header has 14 columns" "$VOCALGRAD" build all.yaml --set root=mixed -o out
expect_exit 4 'duration_ms is "abc"' "$VOCALGRAD" build all.yaml --set root=mixed -o out

echo "on_bad_source: skip" >>all.yaml
expect "a release of what is sound" "$VOCALGRAD" build all.yaml --set root=mixed -o out --only category=volume --only tier=high
release=out/t-1.0.0
[ -d "$release" ] || release=$(echo out/*)
expect "verify" "$VOCALGRAD" verify "$release"
grep -c . "$release/sources.csv" >count
expect "15 sources are told" test "$(cat count)" -eq 16
expect "8 of them left out" test "$(python3 -c 'import csv, sys
print(sum(row["skipped"] != "" for row in csv.DictReader(open(sys.argv[1], newline=""))))' "$release/sources.csv")" -eq 8
expect "a row's fault" grep -q 'ss-corpus-cs.tsv:16: 2 fields; the header has 14 columns' "$release/sources.csv"
expect "a recording's fault" grep -q 'audios/spontaneous-speech-cs-900008.mp3: is a web page' "$release/sources.csv"
expect "no path of the machine" sh -c "! grep -rqF '$work' '$release'"
expect_exit 0 "15 sources, 8 of them bad" "$VOCALGRAD" check --sources all.yaml --set root=mixed

# Twice the same sound, twice the same words.
mkdir twice && cp "$corpora/hostile/audio/pcm_s32le.wav" twice/a.wav && cp "$corpora/hostile/audio/pcm_s32le.wav" twice/b.wav
cp "$corpora/hostile/audio/rate_44100.wav" twice/c.wav
printf 'file_name,text\na.wav,Well... DONE!\nb.wav,other\nc.wav,[noise] well done\n' >twice/metadata.csv
spec twice.yaml "{kind: generic, table: metadata.csv}"
"$VOCALGRAD" check --sources twice.yaml --set root=twice >found.tsv 2>log
expect "the same sound" grep -q "^same_audio	b	.*	the same as a$" found.tsv
expect "the same words" grep -q "^same_text	c	.*	the same as a$" found.tsv
expect "the mix of rates" grep -q "^rate			44100 Hz: 1 sources$" found.tsv
finish
