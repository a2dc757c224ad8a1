#!/bin/sh
# SPDX-License-Identifier: MIT
# A release archive is the same corpus as its folder, read without being unpacked; a damaged one is refused.
. "${VG_TOP:?the checkout}/tests/corpora/lib.sh"

name=cv-corpus-22.0-2025-06-20
tar -C "$corpora/commonvoice" -cf cv.tar $name/ro $name/fr
gzip -nk cv.tar
(gzip -c cv.tar | head -c 100000; gzip -1c cv.tar) >half.tar.gz
head -c 200000 cv.tar.gz >cut.tar.gz
for locale in cs nl; do
    tar -C "$corpora/commonvoice" -czf "sps-corpus-4.0-2026-06-12-$locale.tar.gz" "sps-corpus-4.0-2026-06-12-$locale"
done
mkdir sps && mv sps-corpus-*.tar.gz sps

# choose NAME ROOT ENTRY: a selection of all clips, without the column of the paths.
choose() {
    spec "$1.yaml" "$3"
    expect "select from $1" "$VOCALGRAD" select "$1.yaml" --set "root=$2" -o "$1.csv"
    python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")): del row["audio_path"]; print(sorted(row.items()))' "$1.csv" >"$1.rows"
}
entry='{kind: commonvoice, locales: [ro, fr], select: {count: 20}}'
choose folder "$scripted" "$entry"
choose plain cv.tar "$entry"
choose zipped cv.tar.gz "$entry"
expect "20 clips" test "$(wc -l <folder.rows)" -eq 20
expect "tar: the same as the folder" cmp folder.rows plain.rows
expect "tar.gz: the same as the folder" cmp folder.rows zipped.rows
entry='{kind: commonvoice-spontaneous, locales: [cs, nl], select: {count: 60}}'
choose sps_folders "$corpora/commonvoice" "$entry"
choose sps_archives sps "$entry"
expect "60 clips" test "$(wc -l <sps_folders.rows)" -eq 60
expect "archives by locale: the same as the folders" cmp sps_folders.rows sps_archives.rows

# A frozen table names members of an archive like files of a folder.
spec frozen.yaml "{kind: table, table: sps_archives.csv}"
expect_exit 0 "32000 Hz: 60 sources" "$VOCALGRAD" check --sources frozen.yaml --set root=sps

spec cv.yaml "{kind: commonvoice, locales: [ro]}"
expect_exit 4 "cut.tar.gz is cut off inside its gzip stream" "$VOCALGRAD" check cv.yaml --set root=cut.tar.gz
expect_exit 4 "half.tar.gz" "$VOCALGRAD" check cv.yaml --set root=half.tar.gz
head -c 100000 cv.tar >short.tar
expect_exit 4 "short.tar" "$VOCALGRAD" check cv.yaml --set root=short.tar
cp cv.yaml not.tar
expect_exit 4 "not.tar is no sound tar archive" "$VOCALGRAD" check cv.yaml --set root=not.tar
expect "nothing was unpacked" test "$(find . -name '*.mp3' | wc -l)" -eq 0
finish
