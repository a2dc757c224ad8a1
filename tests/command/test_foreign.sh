#!/bin/sh
# SPDX-License-Identifier: MIT
# verify --labels: the labels of somebody else's set, in the paper's published layout.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/sphinx.yaml
recordings=/usr/share/pocketsphinx/test/data

# counted N PATTERN FILE: so many lines have it.
counted() {
    [ "$(grep -c -- "$2" "$3")" -eq "$1" ]
}

release=$("$VOCALGRAD" build -q "$spec" -o out --set on_label=flag 2>log)
expect "built" test -d "$release"
expect "unpacked as published" "$VOCALGRAD" unpack -q "$release" -o paper --layout paper
expect "unpacked flat" "$VOCALGRAD" unpack -q "$release" -o flat --layout flat

# edit.py FROM TO [PYTHON]: rows of the table with `k` (from 2: the line) and `r` in scope; None drops a row.
cat >edit.py <<'PYTHON'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
out = csv.DictWriter(open(sys.argv[2], "w", newline=""), rows[0].keys(), lineterminator="\n")
out.writeheader()
other = {"increase": "decrease", "decrease": "increase"}
kept = 1
for r in rows:
    kept += 1
    scope = {"r": r, "k": kept, "other": other, "keep": True}
    exec(sys.argv[3], scope)
    if scope["keep"]:
        out.writerow(r)
    else:
        kept -= 1
PYTHON
few='keep = r["curve"] == "jump" and r["tier"] == "high"'

# --- the paper's own flaw ---------------------------------------------------------------------------------
"$VOCALGRAD" verify --labels paper/metadata.csv --sources "$recordings" >out.txt 2>log
expect "exit 1" test $? -eq 1
expect "each of 16 conditions a source" counted 32 "is false: beside its source there is no change" log
expect "and no more" counted 32 "error:" log
expect "low and mid" sh -c '! grep error: log | grep -v "^paper/metadata.csv:[0-9]*: error: audio/audio_distortion__.*__\(low\|mid\)__"'
expect "the rest is confirmed" grep -q "432 items heard beside their sources; labels: 400 confirmed .* 0 opposed, 32 no change" log
cp paper/metadata.csv all.csv
"$VOCALGRAD" verify --labels all.csv --audio paper >out.txt 2>log
expect "exit 1 without the sources" test $? -eq 1
expect "the same samples under both labels" counted 32 "line [0-9]* has the same samples and says" log
expect "and no more" counted 32 "error:" log

# --- a sound set ------------------------------------------------------------------------------------------
python3 edit.py paper/metadata.csv paper/few.csv "$few"
python3 edit.py flat/metadata.csv flat/few.csv "$few"
expect "36 rows" counted 37 "" paper/few.csv
expect_exit 0 "36 items heard beside their sources; labels: 36 confirmed" \
    "$VOCALGRAD" verify --labels paper/few.csv --sources "$recordings"
expect_exit 0 "36 items heard without their sources; labels: 0 opposed" "$VOCALGRAD" verify --labels paper/few.csv
expect_exit 0 "36 confirmed" "$VOCALGRAD" verify --labels paper/few.csv --audio paper/audio --sources "$recordings/librivox"
expect_exit 0 "36 confirmed" "$VOCALGRAD" verify --labels flat/few.csv --sources "$recordings"
expect_exit 0 "48 confirmed" "$VOCALGRAD" verify --sources "$recordings" \
    --labels paper/speech/speaking_speed/metadata/speaking_speed_manifest.csv
cp paper/speech/voice_pitch/metadata/voice_pitch_manifest.csv pitch.csv
expect_exit 0 "48 confirmed" "$VOCALGRAD" verify --labels pitch.csv --audio paper/speech --sources "$recordings"
mkdir wav flac
cp -r paper/audio wav/
cp paper/few.csv wav/
mv wav/audio flac/
for name in flac/audio/*__jump__high__*.wav; do
    flac --silent --delete-input-file -o "${name%.wav}.flac" "$name"
done
expect_exit 0 "36 confirmed" "$VOCALGRAD" verify --labels wav/few.csv --audio flac --sources "$recordings"
"$VOCALGRAD" pack-sources -q "$spec" -o sources.tar >out.txt 2>&1
mkdir pack
tar -xf sources.tar -C pack
expect_exit 0 "36 confirmed" "$VOCALGRAD" verify --labels paper/few.csv --sources pack
expect "any number of workers" sh -c "$VOCALGRAD verify --labels paper/few.csv --sources pack --json --report -j1 >one && $VOCALGRAD verify --labels paper/few.csv --sources pack --json --report -j4 >four && cmp one four"
expect "the report of it" jq -e '.passed and .items == 36 and .verdicts.confirmed == 36 and (.report.sources | length) == 2' one
expect "as text" sh -c "$VOCALGRAD verify --labels paper/few.csv --sources pack --report 2>/dev/null | grep -q '^echo  *high  *100.0'"
expect "as CSV" sh -c "$VOCALGRAD verify --labels paper/few.csv --report --csv 2>/dev/null | grep -q '^oracle,echo,high,jump,'"

# --- false labels -----------------------------------------------------------------------------------------
python3 edit.py paper/few.csv paper/swapped.csv 'r["label"] = other[r["label"]] if k % 7 == 3 else r["label"]'
"$VOCALGRAD" verify --labels paper/swapped.csv --sources "$recordings" >out.txt 2>log
expect "swapped labels: exit 1" test $? -eq 1
for line in 3 10 17 24 31; do
    expect "line $line is named" grep -q "^paper/swapped.csv:$line: error: .* is false: beside its source there is the opposite" log
done
expect "and no other" counted 5 "error:" log
python3 edit.py paper/few.csv paper/all.csv 'r["label"] = other[r["label"]]'
"$VOCALGRAD" verify --labels paper/all.csv --sources "$recordings" >out.txt 2>log
expect "all swapped: none is confirmed" grep -q "labels: 0 confirmed .* 36 opposed" log
"$VOCALGRAD" verify --labels paper/all.csv >out.txt 2>log
expect "without the sources: exit 1" test $? -eq 1
for category in volume background_noise audio_distortion audio_roughness voice_clarity; do
    expect "$category" sh -c "test \$(grep -c 'error: audio/${category}__.*the sound alone shows the opposite' log) -eq 4"
done
expect "what cannot decide is counted" grep -Eq '20 opposed, .* ([1-9]|1[0-6]) more sound opposed' log
"$VOCALGRAD" verify --labels paper/swapped.csv --sources "$recordings" --json --junit junit.xml >swapped.json 2>log
expect "JSON names the rows" jq -e '(.checks[0].faults | map(.place) | sort) == ["paper/swapped.csv:10", "paper/swapped.csv:17", "paper/swapped.csv:24", "paper/swapped.csv:3", "paper/swapped.csv:31"] and (.passed | not)' swapped.json
expect "JUnit too" grep -q 'name="paper/swapped.csv" tests="1" failures="1"' junit.xml

# --- what cannot be heard ---------------------------------------------------------------------------------
mkdir lacking
cp -r paper/audio lacking/
gone=$(sed -n 5p paper/few.csv | cut -d, -f1)
rm "lacking/$gone"
expect_exit 4 "paper/few.csv:5: error: there is no $gone below lacking" \
    "$VOCALGRAD" verify --labels paper/few.csv --audio lacking --sources "$recordings"
expect_exit 4 "35 items heard" "$VOCALGRAD" verify --labels paper/few.csv --audio lacking --sources "$recordings"
printf 'RIFF' >"lacking/$gone"
expect_exit 4 "few.csv:5: error: .*$gone" "$VOCALGRAD" verify --labels paper/few.csv --audio lacking
# fault CODE PATTERN EDIT: the fourth line of the table is edited.
fault() {
    python3 edit.py paper/few.csv paper/fault.csv "if k == 4: $3"
    expect_exit "$1" "paper/fault.csv:4: error: $2" "$VOCALGRAD" verify --labels paper/fault.csv --sources "$recordings"
}
fault 4 'the label is "louder"; expected increase or decrease' 'r["label"] = "louder"'
fault 4 'nothing measures the category "volum"; did you mean volume' 'r["category"] = "volum"'
fault 4 'file_name is "../few.csv"; expected a path below paper' 'r["file_name"] = "../few.csv"'
fault 4 'file_name is "/etc/passwd"' 'r["file_name"] = "/etc/passwd"'
fault 4 'onset_sec is "soon"; expected seconds' 'r["onset_sec"] = "soon"'
fault 4 'its source nobody (clip nobody) is not below' 'r["source_clip_id"] = r["benchmark_clip_id"] = "nobody"'
cut -d, -f2- paper/few.csv >paper/nameless.csv
expect_exit 4 "nameless.csv:1: error: has no column file_name" "$VOCALGRAD" verify --labels paper/nameless.csv
head -n 1 paper/few.csv >paper/empty.csv
expect_exit 4 "empty.csv: error: has no row" "$VOCALGRAD" verify --labels paper/empty.csv
expect_exit 4 "is no folder" "$VOCALGRAD" verify --labels paper/few.csv --audio nowhere
expect_exit 4 "is no folder" "$VOCALGRAD" verify --labels paper/few.csv --sources nowhere
expect_exit 4 "nowhere.csv" "$VOCALGRAD" verify --labels nowhere.csv
expect_exit 2 "both are given" "$VOCALGRAD" verify "$release" --labels paper/few.csv
expect_exit 2 "neither is given" "$VOCALGRAD" verify
expect_exit 2 "go with --labels" "$VOCALGRAD" verify "$release" --audio paper
expect_exit 2 "rebuild is for a release" "$VOCALGRAD" verify --labels paper/few.csv --rebuild 3

# --- what the published pipeline wrote --------------------------------------------------------------------
reference=${VG_SHARED:-/nowhere}/reference
if [ -d "$reference/audio" ]; then
    # A table as published, of the samples that are there; the labels stand at the end of the ids.
    cat >published.py <<'PYTHON'
import csv, os, sys
root, path = sys.argv[1:]
header = ("file_name category benchmark_clip_id source_text attribute prompt label direction curve tier source_clip_id"
          " speaker_id sentence_id duration_sec onset_sec offset_sec split").split()
sources = {r["clip_id"]: r for table in ("sources_speech.csv", "sources_beep.csv")
           for r in csv.DictReader(open(os.path.join(root, table)))}
out = csv.DictWriter(open(path, "w", newline=""), header, restval="", lineterminator="\n")
out.writeheader()
for r in csv.DictReader(open(os.path.join(root, "expected.tsv")), delimiter="\t"):
    name = "audio/%s/%s.flac" % (r["category"], r["item_id"])
    if os.path.exists(os.path.join(root, name)):
        item, clip, curve, tier, direction = r["item_id"].split("__")
        out.writerow({"file_name": name, "category": r["category"], "benchmark_clip_id": r["item_id"],
                      "label": {"up": "increase", "down": "decrease"}[direction], "direction": direction,
                      "curve": curve, "tier": tier, "source_clip_id": clip,
                      "duration_sec": "%.6f" % (int(r["frames"]) / int(r["sample_rate_hz"])),
                      "onset_sec": sources[clip]["onset_sec"], "offset_sec": sources[clip]["offset_sec"]})
PYTHON
    python3 published.py "$reference" published.csv
    expect "240 items" counted 241 "" published.csv
    expect_exit 0 "240 items heard beside their sources; labels: 240 confirmed" \
        "$VOCALGRAD" verify --labels published.csv --audio "$reference" --sources "$reference/sources"
fi

finish
