#!/bin/sh
# SPDX-License-Identifier: MIT
# croissant.json, README.md and the indices, as jq and a YAML reader see them: required fields, true digests, fields
# that are columns, counts that are the manifest's.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/card.yaml
# commands_of RELEASE: what its card tells to type.
commands_of() { sed -n '/^```sh$/,/^```$/{/^```/d;p;}' "$1/README.md"; }

release=$("$VOCALGRAD" build -q "$spec" -o out 2>log)
cd "$release" || exit 1

# --- Croissant 1.1 with RAI and PROV --------------------------------------------------------------------------------
for field in '@context' '@type' conformsTo name description license url creator datePublished distribution recordSet version \
    rai:dataLimitations rai:dataBiases rai:personalSensitiveInformation rai:dataUseCases rai:dataSocialImpact \
    prov:wasDerivedFrom prov:wasGeneratedBy; do
    expect "$field is there and not empty" jq -e --arg f "$field" '.[$f] | . != null and . != "" and . != []' croissant.json
done
expect "synthetic data is said to be there" jq -e '."rai:hasSyntheticData" == true' croissant.json
expect "it conforms to 1.1" jq -e '.conformsTo | index("http://mlcommons.org/croissant/1.1")' croissant.json
expect "a date as given" jq -e '.datePublished == "2026-05-06"' croissant.json
expect "creators as given" jq -e '[.creator[].name] == ["Ada", "Bob & Co"]' croissant.json
expect "exactly one digest per file, a format, an address" jq -e 'all(.distribution[] | select(."@type" == "cr:FileObject");
    ((has("sha256") and (has("md5") | not)) and .encodingFormat and .contentUrl and .name))' croissant.json
jq -r '.distribution[] | select(.sha256) | .sha256 + "  " + .contentUrl' croissant.json >../../listed
expect "every digest is true" sha256sum -c --strict ../../listed
expect "and every file is there" test "$(wc -l <../../listed)" -eq "$(ls | grep -cvE '^(CHECKSUMS|SHA256SUMS|croissant.json|expect.log)$')"
expect "every field of items is a key of every row" sh -c 'jq -r ".recordSet[] | select(.name == \"items\") | .field[].source.extract.column" croissant.json |
    sort >../../fields && jq -e --rawfile f ../../fields "keys as \$k | (\$f | split(\"\n\") | map(select(. != \"\"))) - \$k == []" manifest.jsonl'
expect "and the other way round, but for what is nested" sh -c 'head -n 1 manifest.jsonl | jq -r "keys - [\"evidence\", \"parameters\"] | .[]" | sort | cmp - ../../fields'
expect "every field of sources is a column" sh -c 'jq -r ".recordSet[] | select(.name == \"sources\") | .field[].source.extract.column" croissant.json |
    paste -sd, | cmp - "$1"' sh "$(head -n 1 sources.csv >../../header && echo ../../header)"
expect "references lead somewhere" jq -e '[.. | objects | ."@id"? // empty] as $all | ([.. | objects | select(length > 1) | ."@id"? // empty]) as $defined
    | ($all - $defined) == []' croissant.json
expect "biases are counted" jq -e '."rai:dataBiases" | test("Mostly beeps.") and test("gender: not stated 3")' croissant.json
expect "limitations are counted" sh -c 'jq -r ".\"rai:dataLimitations\"" croissant.json | grep -q "Of $(wc -l <manifest.jsonl) labels $(jq -r .verdict manifest.jsonl | grep -cv "^confirmed$") are not confirmed"'

# --- the card ---------------------------------------------------------------------------------------------------------
cat >../../yaml.py <<'PYTHON'
import re, sys
text = open("README.md", encoding="utf-8").read()
head, body = text.split("---\n")[1:3]
keys = re.findall(r"^([a-z_]+):", head, re.M)
assert len(keys) == len(set(keys))
assert {"pretty_name", "license", "task_categories", "tags", "size_categories", "configs"} <= set(keys), keys
assert re.search(r"^size_categories:\n- n<1K$", head, re.M)
assert "all" not in re.findall(r'- split: "(\S+)"', head)
for heading in ("Task", "Counts", "Labels, as measured on the finished audio", "Shortcuts", "Files", "Loading", "Verifying and rebuilding",
                "Known limitations", "Sources and licences", "Citation", "Changes", "Errata"):
    assert f"\n## {heading}\n" in body, heading
counts = {}
for name, split, tier in re.findall(r"^\| (volume|background_noise|audio_roughness|voice_vibration) \| (\d+) \| (\d+) \|", body, re.M):
    counts.setdefault(name, (int(split), int(tier)))
import json
rows = [json.loads(line) for line in open("manifest.jsonl", encoding="utf-8")]
for name, (beep, speech) in counts.items():
    assert beep == sum(r["category"] == name and r["split"] == "beep" for r in rows)
    assert speech == sum(r["category"] == name and r["split"] == "speech" for r in rows)
assert len(counts) == 4
assert "- 0.1.0: first" in body and "- beep_02 is a little loud" in body and "@misc{small}" in body
assert json.load(open("release.json"))["release_id"] in body
PYTHON
expect "front matter and every part, with the manifest's counts" python3 ../../yaml.py
expect "every split is quoted" sh -c '! grep -E "^ *- split: [^\"]" README.md'
expect "a loading line that works" sh -c 'sed -n "/^# nothing but Python/,/^# WebDataset/p" README.md >../../load.py && python3 ../../load.py'

# --- what it says to run, as printed, in a copy; SPEC is the reader's to fill in ---------------------------------------
mkdir -p ../../printed/bin && cp -r . ../../printed/copy && rm -f ../../printed/copy/expect.log
ln -s "$VOCALGRAD" ../../printed/bin/vocalgrad
commands_of . | sed "s|SPEC|$spec|" >../../printed/commands.sh
expect "it says how to verify, unpack and render again" test "$(grep -c '^vocalgrad' ../../printed/commands.sh)" -eq 6
expect "sources, packed as it says" "$VOCALGRAD" pack-sources -q "$spec" -o ../../printed/copy.tar.flac
sed -i "s|sources.tar.flac|../copy.tar.flac|" ../../printed/commands.sh
expect "every command as printed" sh -ec 'cd ../../printed/copy && PATH=$PWD/../bin:$PATH && . ../commands.sh'
expect "the release is as it was" "$VOCALGRAD" verify ../../printed/copy
expect "what is built is the release" diff -r ../../printed/copy ../../printed/rebuilt/*
expect "what is unpacked is there" test -f ../../printed/unpacked/README.md
expect "wids indices say what the shards are" sh -c 'for f in wids-*.json; do jq -e ".__kind__ == \"wids-shard-index-v1\" and .wids_version == 1" "$f" >/dev/null || exit 1
    jq -r ".shardlist[] | .md5sum + \"  \" + .url" "$f" | md5sum -c --strict - || exit 1; done'
expect "and how many samples" sh -c 'test "$(cat wids-*.json | jq -s "[.[].shardlist[].nsamples] | add")" -eq "$(wc -l <manifest.jsonl)"'

# --- nobody states a date, an erratum, a change ---------------------------------------------------------------------------
cd "$work" || exit 1
plain=$("$VOCALGRAD" build "$VG_TOP/tests/command/small.yaml" -o plain --only category=volume --only split=beep 2>log)
expect "no date is made up" jq -e 'has("datePublished") | not' "$plain/croissant.json"
expect "and that is told" grep -q "without datePublished, which Croissant requires" log
expect "none is recorded, and said so" test "$(grep -c '^None recorded\.$' "$plain/README.md")" -eq 2
dated=$(SOURCE_DATE_EPOCH=1777777777 "$VOCALGRAD" build "$VG_TOP/tests/command/small.yaml" -o dated --only category=volume --only split=beep 2>log)
expect "a date from the environment" jq -e '.datePublished == "2026-05-03"' "$dated/croissant.json"
expect "is enough" sh -c '! grep -q datePublished log'
commands_of "$plain" >commands.sh
expect "without recordings nothing but the release is needed" sh -ec 'PATH=$1/printed/bin:$PATH && cd "$2" && . "$1/commands.sh"' sh "$work" "$plain"
expect "and gives its items again" test "$(jq .release_id "$plain/release.json")" = "$(jq .release_id plain/rebuilt/*/release.json)"

# --- for hubs that sniff .tar --------------------------------------------------------------------------------------------
cd "$work" || exit 1
tar_release=$("$VOCALGRAD" build -q "$spec" -o tar --set pack.shard_suffix=.tar 2>log)
expect "each split's shards are named" sh -c "sed -n '/^configs:/,/^---/p' '$tar_release/README.md' | grep -c 'path: \"vocalgrad-small.*-\(beep\|speech\)-\*.tar\"' | grep -q '^2$'"
expect "by WebDataset's rules" python3 "$VG_TOP/tests/command/read_release.py" "$tar_release"

finish
