#!/bin/sh
# SPDX-License-Identifier: MIT
# The store of finished items: what is there is not made again, what is damaged is, and no byte of a release depends
# on it.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/small.yaml
name=vocalgrad-small-0.1.0

expect "without a cache" "$VOCALGRAD" build -q "$spec" -o none --no-cache
expect "there is none" test ! -e none/.cache
# build_as FOLDER TAKEN MADE DAMAGED [OPTION...]: what the last line of the cache must say; the same bytes.
build_as() {
    folder=$1
    says="cache: $2 items taken, $3 made, $4 damaged"
    shift 4
    rm -rf "${folder:?}/$name"
    expect_exit 0 "$says" "$VOCALGRAD" build "$spec" -o "$folder" "$@"
    expect "the same bytes ($says)" diff -r "none/$name" "$folder/$name"
}
items=$(wc -l <"none/$name/labels.csv")
items=$((items - 1))
build_as out 0 "$items" 0 -j2
build_as out "$items" 0 0 -j2
build_as out "$items" 0 0 -j1
build_as elsewhere "$items" 0 0 --cache out/.cache
expect "one entry an item" test "$(find out/.cache -type f | wc -l)" -eq "$items"

# --- a changed spec makes what it changes -------------------------------------------------------------------------
changed() { "$VOCALGRAD" build "$spec" -o out "$@" 2>&1 | grep '^cache:'; }
expect "another description makes nothing" test "$(changed --set description=Other | cut -d, -f 1,2)" = "cache: $items items taken, 0 made"
# All tiers of a category count: some transforms share work between them.  24 items of each of three sources.
expect "another tier makes that" test "$(changed --set categories.volume.tiers.low.delta_gain_db=5 | cut -d, -f 1,2)" = "cache: $((items - 72)) items taken, 72 made"
expect "another seed makes all" test "$(changed --set seed=43 | cut -d, -f 1,2)" = "cache: 0 items taken, $items made"
expect "another encoder makes all" test "$(changed --set pack.flac_profile=compact | cut -d, -f 1,2)" = "cache: 0 items taken, $items made"

# --- damage --------------------------------------------------------------------------------------------------------
rm -rf out && build_as out 0 "$items" 0
i=0
other=$(find out/.cache -type f | sort | sed -n 8p)
for entry in out/.cache/*/*; do
    i=$((i + 1))
    case $((i % 24)) in
    1) : >"$entry" ;;
    2) truncate -s 100 "$entry" ;;
    3) truncate -s -1 "$entry" ;;
    4) printf 'x' >>"$entry" ;;
    5) printf 'x' | dd of="$entry" bs=1 seek=40 conv=notrunc 2>/dev/null ;;
    6) printf 'xyzw' | dd of="$entry" bs=1 seek=$(($(stat -c %s "$entry") - 9)) conv=notrunc 2>/dev/null ;;
    7) cp "$other" "$entry" ;; # whole, but another item's
    esac
done
rm -rf "out/$name"
expect_exit 0 "$((items / 24 * 7)) damaged" "$VOCALGRAD" build "$spec" -o out
expect "the same bytes" diff -r "none/$name" "out/$name"
build_as out "$items" 0 0

# --- limits --------------------------------------------------------------------------------------------------------
build_as bounded 0 "$items" 0 --cache-limit 2
expect "no more than 2 MiB" test "$(find bounded/.cache -type f -printf '%s\n' | awk '{ sum += $1 } END { print (sum <= 2 * 1048576) }')" = 1
expect "but something" test -n "$(find bounded/.cache -type f)"
find bounded/.cache -type f -exec touch -d '2001-01-01' {} +
"$VOCALGRAD" build -q "$spec" -o bounded --cache-limit 2 --set seed=44 >log 2>&1
expect "what was used long ago has gone" test -z "$(find bounded/.cache -type f ! -newermt 2002-01-01)"
expect_exit 2 "whole number of MiB" "$VOCALGRAD" build "$spec" -o no --cache-limit many

# --- killed, and two at once -----------------------------------------------------------------------------------------
"$VOCALGRAD" build -q "$spec" -o killed -j1 >log 2>&1 &
pid=$!
until [ "$(find killed/.cache -type f 2>/dev/null | wc -l)" -gt 20 ] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
kill -9 "$pid" 2>/dev/null
wait "$pid" 2>/dev/null
rm -rf "killed/$name"
expect_exit 0 "cache: [1-9][0-9]* items taken" "$VOCALGRAD" build "$spec" -o killed
expect "the same bytes" diff -r "none/$name" "killed/$name"
for i in 1 2 3; do
    rm -rf "twins-$i"
    "$VOCALGRAD" build -q "$spec" -o twin-a --cache "twins-$i" >log 2>&1 &
    "$VOCALGRAD" build -q "$spec" -o twin-b --cache "twins-$i" >log2 2>&1
    wait
    expect "twins" diff -r twin-a twin-b
    expect "twins are whole" diff -r "none/$name" "twin-a/$name"
    rm -rf twin-a twin-b
done

# --- a cache that cannot be used ---------------------------------------------------------------------------------------
: >blocked
expect_exit 0 "goes on without" "$VOCALGRAD" build "$spec" -o out2 --cache blocked
expect "the same bytes" diff -r "none/$name" "out2/$name"
finish
