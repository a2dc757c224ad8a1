#!/bin/sh
# SPDX-License-Identifier: MIT
# DuckDB reads a release's tables with its own guesses, and the Parquet files that `unpack` writes through it.
. "$(dirname -- "$0")/lib.sh"
"$VG_DUCKDB_QUERY" "SELECT 1" >log 2>&1
if [ $? -eq 77 ]; then
    echo "DuckDB's C library is not installed; set VG_DUCKDB (ci/test installs it)"
    exit 77
fi
ask() { "$VG_DUCKDB_QUERY" "$@"; }
# answers TITLE EXPECTED SQL: one value.
answers() { expect "$1" test "$(ask "$3" 2>&1)" = "$2"; }

for spec in "$VG_TOP/specs/beep.yaml" "$VG_TOP/specs/demo.yaml" "$VG_TOP/tests/command/odd.yaml"; do
    spec_name=$(basename "$spec" .yaml)
    release=$("$VOCALGRAD" build -q "$spec" -o out --set on_label=flag 2>log)
    items=$(wc -l <"$release/manifest.jsonl")
    answers "$spec_name: read_json" "$items" "SELECT count(*) FROM read_json('$release/manifest.jsonl')"
    answers "$spec_name: read_csv" "$items" "SELECT count(*) FROM read_csv('$release/metadata.csv')"
    answers "$spec_name: the labels agree" "$items" "SELECT count(*) FROM read_json('$release/manifest.jsonl') j JOIN
        read_csv('$release/metadata.csv') c ON c.file_name = j.key || '.flac' AND c.label = j.label AND c.category = j.category
        AND c.benchmark_clip_id = j.id"
    answers "$spec_name: and the labels table" "$items" "SELECT count(*) FROM read_json('$release/manifest.jsonl') j JOIN
        read_csv('$release/labels.csv') l ON l.key = j.key AND l.label = j.label"
    answers "$spec_name: texts are texts in JSON" "VARCHAR" "SELECT DISTINCT column_type FROM (DESCRIBE SELECT id, key, label, speaker_id,
        sentence_id, source_text, source_clip_id, audio_xxh128, flac_xxh128 FROM read_json('$release/manifest.jsonl'))"
    answers "$spec_name: texts are texts in CSV, where they are read as such" "$items" "SELECT count(*) FROM
        read_json('$release/manifest.jsonl') j JOIN read_csv('$release/metadata.csv', all_varchar = true, nullstr = '\\N') c
        ON c.file_name = j.key || '.flac' AND c.speaker_id = j.speaker_id AND c.sentence_id = j.sentence_id
        AND c.source_text = j.source_text AND c.source_clip_id = j.source_clip_id"
    answers "$spec_name: times are numbers" "DOUBLE" "SELECT DISTINCT column_type FROM (DESCRIBE SELECT duration_sec, onset_sec, offset_sec
        FROM read_csv('$release/metadata.csv'))"

    expect "$spec_name: unpack to Parquet" "$VOCALGRAD" unpack "$release" -o "$spec_name-parquet" --layout parquet
    answers "$spec_name: every row" "$items" "SELECT count(*) FROM read_parquet('$spec_name-parquet/data/*.parquet')"
    answers "$spec_name: the sound is the release's FLAC file" "$items" "SELECT count(*) FROM
        read_parquet('$spec_name-parquet/data/*.parquet') p JOIN read_json('$release/manifest.jsonl') j ON p.key = j.key
        AND octet_length(p.audio.bytes) = j.flac_bytes AND p.audio.path = j.key || '.flac' AND p.label = j.label
        AND p.speaker_id = j.speaker_id AND p.sentence_id = j.sentence_id AND p.source_text = j.source_text"
    answers "$spec_name: as the Hub stores it" "STRUCT(bytes BLOB, path VARCHAR)" "SELECT column_type FROM (DESCRIBE SELECT audio FROM
        read_parquet('$spec_name-parquet/data/*.parquet'))"
    answers "$spec_name: in plan order within a split" "0" "SELECT count(*) FROM (SELECT p.key AS a, j.key AS b FROM
        (SELECT key, row_number() OVER () AS n FROM read_parquet('$spec_name-parquet/data/*.parquet', file_row_number = true)
        WHERE filename LIKE '%$(jq -r '.shards[0].split' "$release/release.json")-%') p JOIN
        (SELECT key, row_number() OVER () AS n FROM read_json('$release/manifest.jsonl')
        WHERE split = '$(jq -r '.shards[0].split' "$release/release.json")') j USING (n)) WHERE a <> b"
    answers "$spec_name: with the features that datasets looks for" "1" "SELECT count(DISTINCT decode(value)) FROM
        parquet_kv_metadata('$spec_name-parquet/data/*.parquet') WHERE decode(key) = 'huggingface'
        AND json_extract_string(decode(value), '\$.info.features.audio._type') = 'Audio'"
    sed -n 's/^    path: "\(.*\)"$/\1/p' "$spec_name-parquet/README.md" | while read -r pattern; do
        ls "$spec_name-parquet"/$pattern
    done | sort >named
    expect "$spec_name: README names the files, all of them, once" sh -c "ls $spec_name-parquet/data/*.parquet | sort | cmp - named"
    expect "$spec_name: nothing is left of the work" test "$(ls -A "$spec_name-parquet" | grep -c '^\.')" = 0
done

key=$(ask "SELECT key FROM read_json('$release/manifest.jsonl') LIMIT 1")
ask "COPY (SELECT audio.bytes FROM read_parquet('odd-parquet/data/*.parquet') WHERE key = '$key') TO 'one.flac' (FORMAT blob)" >log 2>&1
shard=$(jq -r "select(.key == \"$key\") | .shard" "$release/manifest.jsonl")
expect "bytes out of Parquet are the member's" sh -c "tar -xOf '$release/$shard' '$key.flac' | cmp - one.flac"
expect "twice the same" sh -c "\"$VOCALGRAD\" unpack -q '$release' -o again --layout parquet >log && diff -r again odd-parquet"
VG_DUCKDB=/nowhere
export VG_DUCKDB
expect_exit 5 "libduckdb.so) is not to be found; install it, or name it in VG_DUCKDB" "$VOCALGRAD" unpack "$release" -o x --layout parquet
expect "nothing is left of it" sh -c '[ ! -e x ] && [ ! -e x.tmp ]'

finish
