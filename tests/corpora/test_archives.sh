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

# VCTK comes as a zip, its older version below one folder of a tar.gz.  Python writes zips as most do: packed or
# not, folders and links among the members.
zip() {
    python3 - "$@" <<'EOF'
import os, sys, zipfile
out, folder, prefix, method = sys.argv[1:5]
with zipfile.ZipFile(out, "w", int(method)) as z:
    for root, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(root, name)
            z.write(path, prefix + os.path.relpath(path, folder))
    link = zipfile.ZipInfo(prefix + "wav48_silence_trimmed/p301/p301_999_mic1.flac")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    z.writestr(link, "/etc/hostname")
EOF
}
zip stored.zip "$corpora/vctk" "" 0
zip packed.zip "$corpora/vctk" VCTK-Corpus-0.92/ 8
tar -C "$corpora" --transform 's/^vctk/VCTK-Corpus/' -czf old.tar.gz vctk
entry='{kind: vctk, select: {count: 20}}'
choose vctk_folder "$corpora/vctk" "$entry"
choose vctk_stored stored.zip "$entry"
choose vctk_packed packed.zip "$entry"
expect "20 clips of VCTK" test "$(wc -l <vctk_folder.rows)" -eq 20
expect "zip, stored: the same as the folder" cmp vctk_folder.rows vctk_stored.rows
expect "zip, packed, below a folder: the same" cmp vctk_folder.rows vctk_packed.rows
expect "no link became a clip" test "$(grep -c p301_999 vctk_stored.rows)" -eq 0
entry='{kind: vctk, version: "0.80", select: {count: 20}}'
choose old_folder "$corpora/vctk" "$entry"
choose old_archive old.tar.gz "$entry"
expect "VCTK 0.80, tar.gz below a folder: the same" cmp old_folder.rows old_archive.rows
spec frozen_zip.yaml "{kind: table, table: vctk_packed.csv}"
expect_exit 0 "48000 Hz: 20 sources" "$VOCALGRAD" check --sources frozen_zip.yaml --set root=packed.zip
expect "build from a zip" "$VOCALGRAD" build "$specs/vctk.yaml" --set root=packed.zip --set splits.test.sources.0.limit=1 \
    --only tier=high --only curve=jump -o out
expect "verify it, rebuilt" "$VOCALGRAD" verify "$(sed -n '$p' expect.log)" --rebuild 5 --set root=packed.zip

# A generic zip: no corpus's layout, a folder of sounds.
mkdir mine && cp "$corpora"/vctk/wav48_silence_trimmed/p301/p301_00[12]_mic1.flac mine
(cd mine && python3 -m zipfile -c ../mine.zip ./*.flac)
spec mine.yaml "{kind: generic}"
expect_exit 0 "48000 Hz: 2 sources" "$VOCALGRAD" check --sources mine.yaml --set root=mine.zip

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

# What zips are made into by those who mean harm: names that climb out, members on top of each other, a gigabyte in
# a hundred bytes, and what ends too soon.
python3 - <<'EOF'
import struct, zipfile
def zipped(path, name, claim=None):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr(name, b"fLaC" + bytes(1000))
    if claim is not None:  # bytes that the directory says it unpacks to
        b = bytearray(open(path, "rb").read())
        at = b.index(b"PK\1\2")
        b[at + 24:at + 28] = struct.pack("<I", claim)
        open(path, "wb").write(b)
zipped("climb.zip", "../../tmp/x.flac")
zipped("root.zip", "/etc/x.flac")
zipped("bomb.zip", "x.flac", 1 << 30)
zipped("lies.zip", "x.flac", 2000)
open("cut.zip", "wb").write(open("lies.zip", "rb").read()[:-10])
EOF
while read -r name says; do
    expect_exit 4 "$says" "$VOCALGRAD" check --sources mine.yaml --set "root=$name.zip"
done <<'EOF'
climb climb.zip: .*holds "../../tmp/x.flac"; expected names that stay inside
root root.zip: .*holds "/etc/x.flac"
bomb bomb.zip: .*bytes of it unpack to 1073741824 (x.flac)
lies x.flac in it does not unpack to what the directory says
cut cut.zip: .*is no sound zip archive
EOF
expect "nothing was unpacked" test "$(find . -name '*.mp3' | wc -l)" -eq 0
finish
