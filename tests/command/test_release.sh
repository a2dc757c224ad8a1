#!/bin/sh
# SPDX-License-Identifier: MIT
# A release: the same bytes whatever the surroundings, readable by everybody's tools, and true to the last bit.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/small.yaml
name=vocalgrad-small-0.1.0

expect "build" "$VOCALGRAD" build "$spec" -o one -j1
release=one/$name

# --- the same bytes -------------------------------------------------------------------------------------
same() { expect "same bytes: $1" diff -r "$release" "$2/$name"; }
"$VOCALGRAD" build -q "$spec" -o eight -j8 >log 2>&1; same "8 jobs" eight
mkdir -p locales && localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >log 2>&1
expect "a German locale to test with" test -d locales/de_DE.UTF-8
LOCPATH=$work/locales LC_ALL=de_DE.UTF-8 LANGUAGE=de "$VOCALGRAD" build -q "$spec" -o german >log 2>&1; same "German locale" german
TZ=Asia/Kathmandu "$VOCALGRAD" build -q "$spec" -o nepal >log 2>&1; same "another time zone" nepal
(umask 077; "$VOCALGRAD" build -q "$spec" -o narrow) >log 2>&1; same "umask 077" narrow
mkdir -p "elsewhere/with space"
(cd "elsewhere/with space" && "$VOCALGRAD" build -q "$spec" -o .) >log 2>&1; same "another folder" "elsewhere/with space"
if [ "$(id -u)" -eq 0 ]; then
    chmod 755 . && mkdir other && chmod 777 other
    cp "$VOCALGRAD" program && chmod 755 program
    mkdir -p house/tests/command house/specs && cp "$spec" house/tests/command && cp -r "$VG_TOP/specs/." house/specs && chmod -R a+rX house
    setpriv --reuid=65534 --regid=65534 --clear-groups ./program build -q house/tests/command/small.yaml -o other >log 2>&1
    same "another user" other
fi

# --- other people's tools -------------------------------------------------------------------------------
expect "sha256sum" sh -c "cd $release && sha256sum -c --strict SHA256SUMS"
expect "xxhsum" sh -c "cd $release && xxhsum -c --strict CHECKSUMS"
for shard in "$release"/*.tar.flac; do
    expect "GNU tar" tar -tf "$shard"
    expect "bsdtar" bsdtar -tf "$shard"
    mkdir -p members && tar -xf "$shard" -C members
    tar -tf "$shard" >>listed
done
expect "Python's tarfile and json, and the rules of WebDataset" python3 "$VG_TOP/tests/command/read_release.py" "$release"
expect "flac -t on every member" sh -c 'flac -ts members/*.flac'
expect "one item a manifest line" test "$(wc -l <"$release/manifest.jsonl")" -eq "$(ls members/*.flac | wc -l)"
expect "two members a key, adjacent, no dot in a key" awk -F. 'NF != 2 { exit 1 }
    NR % 2 == 1 { if ($2 != "flac") exit 1; key = $1 } NR % 2 == 0 { if ($2 != "json" || $1 != key) exit 1 }' listed

# --- one item is what the build packed -------------------------------------------------------------------
for row in 1 50 140; do
    key=$("$VOCALGRAD" plan -q "$spec" | sed -n "$((row + 1))p" | cut -f 11)
    "$VOCALGRAD" render -q "$spec" "$key" -o "item.flac" >log 2>&1
    expect "item $row rendered alone" cmp item.flac "members/$key.flac"
done
expect_exit 0 "flac_xxh128" "$VOCALGRAD" explain "$spec" "$key"

# --- verify ----------------------------------------------------------------------------------------------
expect "verify" "$VOCALGRAD" verify "$release"
expect "verify --rebuild all" "$VOCALGRAD" verify "$release" --rebuild all --spec "$spec"
expect_exit 0 "measured again, the same evidence" "$VOCALGRAD" verify "$release" --level labels --spec "$spec"
expect_exit 0 "without their sources, the same blind" "$VOCALGRAD" verify "$release" --level labels
cp -r "$release" swapped
sed -i '1s/"label":"increase"/"label":"decrease"/' swapped/manifest.jsonl
expect_exit 1 "$(sed -n '1s/.*"id":"\([^"]*\)".*/\1/p' swapped/manifest.jsonl)" "$VOCALGRAD" verify swapped --level labels --spec "$spec"
for file in "$release"/*; do
    size=$(wc -c <"$file")
    places="0 $((size / 3)) $((size - 1))"
    [ "${VG_SANITIZED:-0}" != 1 ] || places=$((size / 3)) # slow, and the same way through
    for place in $places; do
        python3 - "$file" "$place" flip <<'PYTHON'
import sys
path, place = sys.argv[1], int(sys.argv[2])
with open(path, "r+b") as f:
    f.seek(place); byte = f.read(1)[0]; f.seek(place); f.write(bytes([byte ^ (1 << place % 8)]))
PYTHON
        expect_exit 1 "$(basename "$file")" "$VOCALGRAD" verify "$release"
        cp "eight/$name/$(basename "$file")" "$file"
    done
done
expect "whole again" "$VOCALGRAD" verify "$release"
: >"$release/extra.txt"
expect_exit 1 "extra.txt" "$VOCALGRAD" verify "$release"
rm "$release/extra.txt" "$release/labels.csv"
expect_exit 1 "labels.csv" "$VOCALGRAD" verify "$release"

# --- a kill leaves nothing under the final name ------------------------------------------------------------
for pause in 0.02 0.1 0.2 0.4; do
    "$VOCALGRAD" build -q "$spec" -o killed >log 2>&1 &
    pid=$!
    sleep "$pause"
    if kill -9 "$pid" 2>/dev/null; then
        wait "$pid" 2>/dev/null
        [ ! -e "killed/$name" ] || diff -r "eight/$name" "killed/$name" >log || { echo "FAILED: half a release after $pause s"; failed=$((failed + 1)); }
    fi
    rm -rf "killed/$name"
done
expect "the next build succeeds" "$VOCALGRAD" build -q "$spec" -o killed
expect "and is whole" diff -r "eight/$name" "killed/$name"
expect "and leaves nothing else" test "$(ls -A killed)" = ".cache
$name"

# --- an interrupt is told and clears up --------------------------------------------------------------------
"$VOCALGRAD" build "$VG_TOP/specs/voice.yaml" -o stopped -j1 >log 2>&1 &
pid=$!
sleep 1
kill -INT "$pid"
wait "$pid"
expect "an interrupted build exits with 5" test $? -eq 5
expect "says so" grep -q "interrupted by signal 2" log
expect "and leaves nothing" test "$(ls -A stopped)" = ".cache"

finish
