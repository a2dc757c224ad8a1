#!/bin/sh
# SPDX-License-Identifier: MIT
# croissant.json, README.md and the indices, as jq and a YAML reader see them: required fields, true digests, fields
# that are columns, counts that are the manifest's.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/card.yaml
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
assert "all" not in re.findall(r"- split: (\S+)", head)
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
expect "a loading line that works" sh -c 'sed -n "/^# nothing but Python/,/^# WebDataset/p" README.md >../../load.py && python3 ../../load.py'
expect "wids indices say what the shards are" sh -c 'for f in wids-*.json; do jq -e ".__kind__ == \"wids-shard-index-v1\" and .wids_version == 1" "$f" >/dev/null || exit 1
    jq -r ".shardlist[] | .md5sum + \"  \" + .url" "$f" | md5sum -c --strict - || exit 1; done'
expect "and how many samples" sh -c 'test "$(cat wids-*.json | jq -s "[.[].shardlist[].nsamples] | add")" -eq "$(wc -l <manifest.jsonl)"'

# --- for hubs that sniff .tar --------------------------------------------------------------------------------------------
cd "$work" || exit 1
tar_release=$("$VOCALGRAD" build -q "$spec" -o tar --set pack.shard_suffix=.tar 2>log)
expect "each split's shards are named" sh -c "sed -n '/^configs:/,/^---/p' '$tar_release/README.md' | grep -c 'path: \"vocalgrad-small.*-\(beep\|speech\)-\*.tar\"' | grep -q '^2$'"
expect "by WebDataset's rules" python3 "$VG_TOP/tests/command/read_release.py" "$tar_release"

finish
