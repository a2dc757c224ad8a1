#!/bin/sh
# SPDX-License-Identifier: MIT
# Selections: the same bytes in whatever order folders and rows are, balanced as the rules say, kept apart from each
# other, and frozen: what was chosen is what is built.
. "${VG_TOP:?the checkout}/tests/corpora/lib.sh"

# choose NAME ROOT ENTRY: choose into NAME.csv.
choose() {
    spec "$1.yaml" "$3"
    expect "select $1" "$VOCALGRAD" select "$1.yaml" --set "root=$2" -o "$1.csv" -j "${4:-2}"
}
# count TABLE COLUMN: every different value and how often.
count() {
    python3 -c 'import collections, csv, sys
for pair in sorted(collections.Counter(row[sys.argv[2]] for row in csv.DictReader(open(sys.argv[1], newline=""))).items()): print(*pair)' "$1" "$2"
}

# --- the same in any order -------------------------------------------------------------------------------
# Files copied last to first, rows of every table shuffled, a header's columns in another order.
mkdir -p this_sps other/cv/en/clips other/sps
cp -r "$spontaneous-nl" "$spontaneous-cs" this_sps
for table in this_sps/*/ss-corpus-*.tsv; do # none has a quality tag
    awk -F '\t' -v OFS='\t' 'NR > 1 && $2 % 10 == 3 { $14 = "long-audio|speech-rate" } { print }' "$table" >tagged
    cp tagged "$table"
done
cp -r this_sps/. other/sps
find "$scripted/en/clips" -type f | LC_ALL=C sort -r | while read -r file; do cp "$file" other/cv/en/clips; done
for table in validated.tsv clip_durations.tsv; do cp "$scripted/en/$table" other/cv/en; done
python3 - other/cv/en/validated.tsv other/cv/en/clip_durations.tsv other/sps/*/ss-corpus-*.tsv <<'PYTHON'
import random, sys
random.seed(7)
for path in sys.argv[1:]:
    with open(path, newline="") as stream:
        rows = [line.split("\t") for line in stream.read().split("\n")[:-1]]
    order = list(range(len(rows[0])))
    random.shuffle(order)
    body = rows[1:]
    random.shuffle(body)
    with open(path, "w", newline="") as stream:
        for row in [rows[0]] + body:
            stream.write("\t".join(row[i] for i in order) + "\n")
PYTHON
mkdir this && cp -r "$scripted/en" this/en && rm this/en/[dito]*.tsv
rules='count: 24, speakers: 12, balance: [gender, accent], genders: [male_masculine, female_feminine], duration_min_sec: 2.5, distinct_texts: true'
choose first this "{kind: commonvoice, select: {$rules}}" 1
choose again other/cv "{kind: commonvoice, select: {$rules}}" 3
expect "Common Voice: the same bytes" cmp first.csv again.csv
expect "and the same report" cmp first.report.txt again.report.txt
rules='count: 30, balance: [locale], text_required: true, exclude_tags: [short-audio, speech-rate]'
choose sps_first this_sps "{kind: commonvoice-spontaneous, select: {$rules}}"
choose sps_again other/sps "{kind: commonvoice-spontaneous, select: {$rules}}"
expect "Spontaneous Speech: the same bytes" cmp sps_first.csv sps_again.csv
choose seed this "{kind: commonvoice, select: {seed: other, count: 24}}"
expect "another seed, another choice" sh -c '! cmp -s first.csv seed.csv'

# --- balance ---------------------------------------------------------------------------------------------
expect "12 speakers, 2 clips each" test "$(count first.csv speaker_id | cut -d ' ' -f 2 | sort | uniq -c | tr -s ' ')" = " 12 2"
expect "women and men alike" test "$(count first.csv gender | tr '\n' ' ')" = "female_feminine 12 male_masculine 12 "
expect "no text twice" test "$(count first.csv text | wc -l)" -eq 24
expect "long enough" python3 -c 'import csv
assert all(float(row["audio_duration_sec"]) >= 2.5 for row in csv.DictReader(open("first.csv", newline="")))'
expect "locales alike" test "$(count sps_first.csv locale | tr '\n' ' ')" = "cs 15 nl 15 "
expect "no tag that was excluded" sh -c '! grep -q speech-rate sps_first.csv'
expect "the report says why" grep -q "quality tag excluded" sps_first.report.txt

# --- kept apart -------------------------------------------------------------------------------------------
choose apart this "{kind: commonvoice, select: {count: 20, speakers_not_in: [first.csv], texts_not_in: [first.csv]}}"
expect "no speaker and no text in common" python3 -c 'import csv
rows = [list(csv.DictReader(open(name, newline=""))) for name in ("first.csv", "apart.csv")]
for key in ("speaker_id", "text"):
    assert not {row[key] for row in rows[0]} & {row[key] for row in rows[1]}, key'
cut -d, -f2 first.csv >ids.csv # a table that does not say who speaks is asked by its clips
choose by_clip this "{kind: commonvoice, select: {count: 20, speakers_not_in: [ids.csv], texts_not_in: [ids.csv]}}"
expect "the same by clip ids alone" cmp apart.csv by_clip.csv
printf 'clip_id\nnobody\n' >stranger.csv
spec stranger.yaml "{kind: commonvoice, select: {count: 20, speakers_not_in: [stranger.csv]}}"
expect_exit 4 'stranger.csv:2: .*clip "nobody" is not in the corpus' "$VOCALGRAD" select stranger.yaml --set root=this -o x.csv
spec many.yaml "{kind: commonvoice, select: {count: 1000}}"
expect_exit 4 "the corpus has only 119 clips of 32 speakers that fit the rules, 1000 clips are asked for" \
    "$VOCALGRAD" select many.yaml --set root=this -o many.csv

# --- the paper's protocols, on what is here ----------------------------------------------------------------
printf 'clip_id\np301_001\np301_002\np302_001\n' >taken.csv # what the published table is for the whole corpus
# protocol NAME ROOT SPLIT CLIPS [OPTION...]
protocol() {
    name=$1
    root=$2
    rules=splits.$3.sources.0.select
    clips=$4
    shift 4
    expect "protocol $name" "$VOCALGRAD" select "$VG_TOP/specs/select-$name.yaml" --set "root=$corpora/$root" \
        -o "$name.csv" --set "$rules.count=$clips" "$@"
    expect "$clips clips by protocol $name" test "$(wc -l <"$name.csv")" -eq $((clips + 1))
}
protocol vctk-test vctk test 8 --set splits.test.sources.0.select.speakers=4
protocol vctk-train vctk train 6 --set splits.train.sources.0.select.speakers=2 \
    --set "splits.train.sources.0.select.speakers_not_in=[$work/taken.csv]" \
    --set "splits.train.sources.0.select.texts_not_in=[$work/taken.csv]"
protocol loquacious-test loquacious loquaciousset 8
protocol commonvoice-spontaneous-test commonvoice commonvoice_spontaneous 8 \
    --set "splits.commonvoice_spontaneous.sources.0.locales=[cs, nl]"
expect "ids by speaker" grep -q '^p303_01,p303_' vctk-train.csv
expect "ids by number" grep -q '^loquaciousset_test_0008,' loquacious-test.csv

# --- frozen -------------------------------------------------------------------------------------------------
spec frozen.yaml "{kind: table, table: first.csv, limit: 1}"
expect "a release out of the selection" "$VOCALGRAD" build -q frozen.yaml --set root=this -o out --only category=volume --only tier=high
# shellcheck disable=SC2016
expect "with the samples that were chosen" sh -c 'digest=$(sed -n 2p first.csv | rev | cut -d, -f2 | rev | tr -d \"); grep -q "$digest" out/*/sources.csv'
sed '2s/,\("\{0,1\}[0-9a-f]\{32\}"\{0,1\}\),lib/,00000000000000000000000000000000,lib/' first.csv >altered.csv
spec altered.yaml "{kind: table, table: altered.csv, limit: 1}"
expect_exit 4 "altered.csv:2: .*gives other samples than those pinned" "$VOCALGRAD" check --sources altered.yaml --set root=this
expect_exit 3 "run .vocalgrad select., and build from the table" "$VOCALGRAD" build first.yaml --set root=this
finish
