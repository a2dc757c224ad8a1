#!/bin/sh
# SPDX-License-Identifier: MIT
# Subsets, overrides and what diff says of them; every category's subset has the digests of the full build.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/nine.yaml
digests() { jq -r '[.category, .id, .audio_xxh128, .flac_xxh128] | join(" ")' "$1/manifest.jsonl" | LC_ALL=C sort; }

full=$("$VOCALGRAD" build -q "$spec" -o full 2>log)
expect "the full build" test -d "$full"
digests "$full" >all
id=$(jq -r .release_id "$full/release.json")

for category in volume speaking_speed voice_pitch background_noise audio_distortion audio_roughness voice_clarity voice_vibration echo; do
    part=$("$VOCALGRAD" build -q "$spec" -o "$category" --only "category=$category" --only tier=high --subset-of "$full" 2>log)
    digests "$part" >some
    expect "$category: as many items as asked for" test "$(wc -l <some)" -eq "$(grep -c "^$category .*__high__" all)"
    expect "$category: with the digests of the full build" sh -c '[ -s some ] && [ -z "$(LC_ALL=C comm -23 some all)" ]'
    expect "$category: says of which release it is a subset" test "$(jq -r .subset_of "$part/release.json")" = "$id"
done
expect "and with which options" jq -e '.options == ["--only category=echo", "--only tier=high"]' "$part/release.json"
expect "the card says so" grep -q "| subset of | \`$id\` |" "$part/README.md"
expect "it verifies" "$VOCALGRAD" verify "$part"
expect "and can be rebuilt" "$VOCALGRAD" verify "$part" --rebuild all --spec "$spec" --only category=echo --only tier=high

two=$("$VOCALGRAD" build -q "$spec" -o two --only tier=high --only category=volume,echo 2>log)
expect "without the full release its spec is named" test "$(jq -r .subset_of_spec_xxh128 "$two/release.json")" = "$(jq -r .spec_xxh128 "$full/release.json")"
expect "and no id is made up" jq -e '.subset_of == null' "$two/release.json"
expect "a full build is no subset" jq -e '.subset_of == null and .subset_of_spec_xxh128 == null' "$full/release.json"
stated=$("$VOCALGRAD" build -q "$spec" -o stated --only tier=high --subset-of "$id" 2>log)
expect "an id may be stated" test "$(jq -r .subset_of "$stated/release.json")" = "$id"
expect "with a warning" grep -q "unchecked" log
expect_exit 2 "is no folder; expected a release or a release id" "$VOCALGRAD" build -q "$spec" -o x --only tier=high --subset-of something

# --- an override differs in the overridden tier and nowhere else ------------------------------------------------------
other=$("$VOCALGRAD" build -q "$spec" -o other --set categories.volume.tiers.high.delta_gain_db=24 2>log)
expect "a local version" sh -c "basename '$other' | grep -qE '^vocalgrad-nine-0\.1\.0\+local\.[0-9a-f]{8}$'"
expect "that lists what was overridden" jq -e '.options == ["--set categories.volume.tiers.high.delta_gain_db=24"]' "$other/release.json"
expect_exit 1 "categories.volume.tiers.high.delta_gain_db: 18 -> 24" "$VOCALGRAD" diff "$full" "$other"
"$VOCALGRAD" diff --json "$full" "$other" >diff.jsonl 2>log
expect "every changed item is volume, high" jq -se '[.[] | select(.is == "item")] | length == 8 and all(.category == "volume" and .tier == "high" and .change == "changed")' diff.jsonl
expect "and all of them are" test "$(grep -c '"is":"item"' diff.jsonl)" -eq "$(grep -c '^volume .*__high__' all)"
expect "by audio and parameter, no label" jq -se 'all(.[] | select(.is == "item"); (.by | index("audio") and index("parameter") and (index("label") | not)) and any(.fields[]; .name == "parameters.delta_gain_db" and .a == 18 and .b == 24))' diff.jsonl
expect "two values of the spec differ" jq -se '[.[] | select(.is == "spec") | .path] == ["version", "categories.volume.tiers.high.delta_gain_db"]' diff.jsonl
expect "the rest is the same" jq -se '.[-1] | .same == .items_a - 8 and .added == 0 and .removed == 0 and .by.label == 0' diff.jsonl
expect_exit 1 "this is no subset of it" "$VOCALGRAD" build -q "$spec" -o x --only tier=high --subset-of "$other"
expect "nothing is left of it" sh -c '! ls x/* 2>/dev/null | grep -q .'

# --- diff -------------------------------------------------------------------------------------------------------------------
expect_exit 0 "the same, 0 added, 0 removed, 0 changed" "$VOCALGRAD" diff "$full" "$full"
expect_exit 1 " added, 0 removed, 0 changed" "$VOCALGRAD" diff "$two" "$full"
expect_exit 1 "0 added, .* removed, 0 changed" "$VOCALGRAD" diff "$full" "$two"
expect_exit 1 "tiers: \[low, mid, high\] -> \[high\]" "$VOCALGRAD" diff "$full" "$two"
cp -r "$full" swapped && python3 "$VG_TOP/tests/command/tamper.py" swapped labels
expect_exit 1 "label: \"increase\" -> \"decrease\"" "$VOCALGRAD" diff "$full" swapped
expect_exit 1 "changed: [a-z_]*, [a-z]*; by label$" "$VOCALGRAD" diff "$full" swapped
expect_exit 5 "manifest.jsonl\|release.json" "$VOCALGRAD" diff "$full" nowhere
labels=$("$VOCALGRAD" build -q "$spec" -o labels --set labels.up=rise --only category=volume 2>log)
expect_exit 1 "label: \"increase\" -> \"rise\"" "$VOCALGRAD" diff "$full" "$labels"
expect_exit 1 "labels.up: increase -> rise" "$VOCALGRAD" diff "$full" "$labels"

finish
