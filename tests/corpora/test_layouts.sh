#!/bin/sh
# SPDX-License-Identifier: MIT
# From every layout a small release of real speech, all nine categories, built by the spec that stands in specs/
# for it, and verified.
. "${VG_TOP:?the checkout}/tests/corpora/lib.sh"

# release NAME ROOT [OPTION...]: build specs/corpora/NAME.yaml from ROOT and verify it.
release() {
    layout=$1
    root=$2
    shift 2
    [ -z "${VG_FEW:-}" ] || set -- "$@" --only tier=high --only curve=jump
    expect "build $layout" "$VOCALGRAD" build "$specs/$layout.yaml" --set "root=$root" -o out "$@"
    folder=$(sed -n '$p' expect.log)
    expect "verify $layout" "$VOCALGRAD" verify "$folder"
    expect "$layout: every category" test "$(grep -o '"category":"[a-z_]*"' "$folder/manifest.jsonl" | sort -u | wc -l)" -eq 9
    if grep -rlF "$root" "$folder" --include=*.csv --include=*.jsonl --include=*.json --include=*.yaml --include=*.md >paths; then
        echo "FAILED: a release of $layout knows where the corpus lies: $(cat paths)"
        failed=$((failed + 1))
    fi
}
# clips: the FLAC files of Loquacious, which stand in for clips of corpora that are not at hand.
clips() {
    find "$corpora/loquacious/test/audio" -name '*.flac' | LC_ALL=C sort
}

release commonvoice "$scripted" --set splits.test.sources.0.limit=1
release commonvoice-spontaneous "$corpora/commonvoice" --set splits.test.sources.0.limit=1
release loquacious "$corpora/loquacious" --set splits.test.sources.0.limit=1
release vctk "$corpora/vctk" --set splits.test.sources.0.limit=1
release vctk-0.80 "$corpora/vctk" --set splits.test.sources.0.limit=1

# LibriSpeech: SUBSET/SPEAKER/CHAPTER/SPEAKER-CHAPTER-NNNN.flac
chapter=libri/LibriSpeech/test-clean/61/70968
mkdir -p $chapter
printf ';ID  |SEX| SUBSET           |MINUTES| NAME\n61   | M | test-clean       |  8.08 | A Reader\n' >libri/LibriSpeech/SPEAKERS.TXT
clips | head -n 2 | while read -r file; do
    number=$(printf '%04d' "$(find $chapter -name '*.flac' | wc -l)")
    cp "$file" "$chapter/61-70968-$number.flac"
    echo "61-70968-$number WORDS OF CLIP $number" >>$chapter/61-70968.trans.txt
done
release librispeech "$work/libri" --set splits.test.sources.0.limit=1
expect "LibriSpeech's reader, words and speaker" grep -q '^"61-70968-0000","61-70968-0000",test,"61",[^,]*,WORDS OF CLIP 0000,M,' "$folder/sources.csv"

# MLS: SPLIT/audio/SPEAKER/BOOK/SPEAKER_BOOK_NNNNNN.flac
mkdir -p mls_english/test/audio/61/70968
printf 'SPEAKER   |   GENDER   | PARTITION  |  MINUTES   |  BOOK ID  | TITLE\n 61       |   F        | test       |  8.08      |  70968    | A Book\n' >mls_english/metainfo.txt
clips | head -n 1 | while read -r file; do
    cp "$file" mls_english/test/audio/61/70968/61_70968_000000.flac
    printf '61_70968_000000\twords of a book\n' >mls_english/test/transcripts.txt
done
release mls "$work/mls_english"
expect "MLS's reader, words and speaker" grep -q '^"61_70968_000000","61_70968_000000",test,"61",[^,]*,words of a book,F,en,' "$folder/sources.csv"

# A table, a folder, a shard.
mkdir -p mine/anna shards
cp "$(clips | head -n 1)" mine/anna/one.flac
printf 'file_name,transcription,speaker_id,duration\nanna/one.flac,"one, two",anna,\n' >mine/metadata.csv
release generic-table "$work/mine" --set splits.test.sources.0.limit=1
expect "words of a table" grep -q '^anna/one,anna/one,test,anna,[^,]*,"one, two",' "$folder/sources.csv"
rm mine/metadata.csv
release generic-folder "$work/mine"
expect "speaker of a folder" grep -q '^anna/one,anna/one,test,anna,' "$folder/sources.csv"
cp mine/anna/one.flac shards/key1.flac
printf '{"text": "one two", "speaker_id": 7, "nested": {"a": [1]}}' >shards/key1.json
tar -C shards -cf shards/part-00000.tar key1.flac key1.json
release generic-webdataset "$work/shards"
expect "words of a shard" grep -q '^key1,key1,test,"7",[^,]*,one two,' "$folder/sources.csv"
finish
