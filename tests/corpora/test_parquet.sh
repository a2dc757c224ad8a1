#!/bin/sh
# SPDX-License-Identifier: MIT
# The Loquacious Set as Parquet files, written by DuckDB from its materialised form: the same sources, samples and
# facts; only the columns and row groups that are asked for are read.
. "$(dirname -- "$0")/lib.sh"
"$VG_DUCKDB_QUERY" "SELECT 1" >log 2>&1
if [ $? -eq 77 ]; then
    echo "DuckDB's C library is not installed; set VG_DUCKDB (ci/test installs it)"
    exit 77
fi
materialised=$corpora/loquacious

# parquet TABLE FILE [WHERE]: rows of a table with the files they name.
parquet() {
    "$VG_DUCKDB_QUERY" "COPY (SELECT ID, CAST(duration AS FLOAT) AS duration, CAST(\"start\" AS FLOAT) AS \"start\",
            struct_pack(bytes := b.content, path := parse_filename(c.wav)) AS wav, spk_id, sex, text
        FROM read_csv('$materialised/$1', all_varchar = true) c JOIN read_blob('$materialised/*/audio/*') b
            ON b.filename = '$materialised/' || c.wav WHERE ${3:-true} ORDER BY c.ID)
        TO '$2' (FORMAT parquet)" >log 2>&1 || cat log
}
mkdir -p hub/small
parquet largescaleasr_test.csv hub/small/test-00000-of-00002.parquet "c.ID < 'c'"
parquet largescaleasr_test.csv hub/small/test-00001-of-00002.parquet "c.ID >= 'c'"
parquet largescaleasr_dev.csv hub/small/dev-00000-of-00001.parquet
parquet largescaleasr_small_train.csv hub/small/train-00000-of-00001.parquet

# --- the same sources ---------------------------------------------------------------------------------------
for table in test dev train; do
    spec $table.yaml "{kind: loquacious, table: $table}"
    skip="--set on_bad_source=skip"
    # shellcheck disable=SC2086
    "$VOCALGRAD" pack-sources -q $table.yaml $skip --set "root=$materialised" -o $table.tar.flac >log 2>&1
    # shellcheck disable=SC2086
    expect "$table: read from Parquet" "$VOCALGRAD" pack-sources -q $table.yaml $skip --set root=hub -o $table-hub.tar.flac
    expect "$table: the same samples and facts" cmp $table.tar.flac $table-hub.tar.flac
done

# --- a selection that was frozen on one is read from the other -------------------------------------------------
spec select.yaml '{kind: loquacious, table: test, select: {id: "lq_{n:02}", count: 6}}'
expect "select" "$VOCALGRAD" select -q select.yaml --set root=hub -o frozen.csv
"$VOCALGRAD" select -q select.yaml --set "root=$materialised" -o other.csv
expect "the same digests and decoders" sh -c 'cut -d, -f 21- frozen.csv >a; cut -d, -f 21- other.csv >b; cmp a b'
expect "rows of Parquet files are its paths" grep -q 'small/test-0000[01]-of-00002.parquet/[0-9]' frozen.csv
spec frozen.yaml '{kind: table, table: frozen.csv}'
expect "read through the table" "$VOCALGRAD" pack-sources -q frozen.yaml --set root=hub -o frozen.tar.flac
sed -n '2,$p' frozen.csv | cut -d, -f 1,2 | sed '1i item_id,clip_id,source_split
s/$/,test/' >published.csv # as the paper's tables: ids and no paths
spec published.yaml '{kind: table, table: published.csv, layout: loquacious}'
for root in hub "$materialised"; do
    expect "ids alone, in $root" "$VOCALGRAD" pack-sources -q published.yaml --set "root=$root" -o published.tar.flac
    tar -tf published.tar.flac >log
    expect "all of them" test "$(grep -c flac log)" -eq 6
done

# --- what is refused --------------------------------------------------------------------------------------------
expect_exit 4 "is Parquet, which DuckDB reads: .*npm install" env VG_DUCKDB=/nowhere.so \
    "$VOCALGRAD" plan test.yaml --set root=hub
mkdir -p half/small rows/small
head -c 40000 hub/small/dev-00000-of-00001.parquet >half/small/dev-0.parquet
expect_exit 4 "half/small/dev-0.parquet: error: cannot be read as Parquet" "$VOCALGRAD" plan dev.yaml --set root=half
"$VG_DUCKDB_QUERY" "COPY (SELECT 'x' AS ID, 1.0 AS duration, 'hello' AS text) TO 'rows/small/dev-0.parquet' (FORMAT parquet)" >log 2>&1
expect_exit 4 "has no column that is a struct" "$VOCALGRAD" plan dev.yaml --set root=rows
printf 'item_id,clip_id,audio_path\none,c,small/dev-00000-of-00001.parquet/99\n' >beyond.csv
spec beyond.yaml '{kind: table, table: beyond.csv}'
expect_exit 4 "beyond.csv:2: error: .*the file has no such row" "$VOCALGRAD" pack-sources beyond.yaml --set root=hub -o no.tar

finish
