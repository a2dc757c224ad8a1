#!/bin/sh
# SPDX-License-Identifier: MIT
# score against an independent count in Python; the tables of the human study.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/small.yaml
release=$("$VOCALGRAD" build -q "$spec" -o out 2>log)

python3 - "$release" <<'PYTHON'
import csv, json, random, re, sys
rows = [json.loads(line) for line in open(sys.argv[1] + "/manifest.jsonl", encoding="utf-8")]
rng = random.Random(7)
words = ["{}", "{}.", "It {}s over time.", "\u201c{}\u201d", "**{}**", "increase or decrease", "{}d", "{}ing", "", "no idea",
         "The answer is: {}", "{}_x", "non-{}"]
answers, expected = [], {}
for i, row in enumerate(rows):
    if i % 40 == 3:
        continue
    text = rng.choice(words).format(rng.choice([row["label"], row["label"], "increase", "DECREASE", "Increase"]))
    name = [{"key": row["key"]}, {"name": f'{row["category"]}__{row["id"]}'},
            {"category": row["category"], "item_id": row["id"]}][i % 3]
    answers.append({**name, "response": text})
    found = {w for w in ("increase", "decrease") if re.search(rf"(?<![A-Za-z0-9_]){w}s?(?![A-Za-z0-9_])", text, re.I)}
    expected[row["key"]] = found.pop() if len(found) == 1 else None
with open("answers.jsonl", "w", encoding="utf-8") as f:
    f.writelines(json.dumps(a) + "\n" for a in answers)
with open("answers.csv", "w", encoding="utf-8", newline="") as f:
    table = csv.writer(f)
    table.writerow(["category", "id", "prediction"])
    by_key = {r["key"]: r for r in rows}
    by_name = {f'{r["category"]}__{r["id"]}': r for r in rows}
    for a in answers:
        r = by_key.get(a.get("key")) or by_name.get(a.get("name") or f'{a.get("category")}__{a.get("item_id")}')
        table.writerow([r["category"], r["id"], a["response"]])
groups = {}
for row in rows:
    for field, value in [("all", ""), *((k, row[k]) for k in ("split", "category", "tier", "curve", "direction")),
                         ("category and tier", f'{row["category"]} {row["tier"]}'),
                         ("category and curve", f'{row["category"]} {row["curve"]}')]:
        g = groups.setdefault(f"{field}/{value}", dict(items=0, correct=0, parsed=0, missing=0, not_understood=0, ups=0))
        g["items"] += 1
        if row["key"] not in expected:
            g["missing"] += 1
        elif expected[row["key"]] is None:
            g["not_understood"] += 1
        else:
            g["parsed"] += 1
            g["correct"] += expected[row["key"]] == row["label"]
            g["ups"] += expected[row["key"]] == "increase"
json.dump(groups, open("expected.json", "w"))
PYTHON

expect "score as JSON" sh -c "\"$VOCALGRAD\" score -q $release answers.jsonl --json >scores.json"
expect "the same counts as Python's, group by group" python3 - <<'PYTHON'
import json
groups = json.load(open("expected.json"))
scores = json.load(open("scores.json"))["scores"]
assert len(scores) == len(groups)
for s in scores:
    g = groups[f'{s["field"]}/{s["value"]}']
    for k in ("items", "correct", "parsed", "missing", "not_understood"):
        assert s[k] == g[k], (s, g)
    assert s["accuracy"] == g["correct"] / g["items"]
    assert s["says_up"] == (g["ups"] / g["parsed"] if g["parsed"] else None)
    if s["accuracy_low"] is not None:
        assert 0 <= s["accuracy_low"] <= s["accuracy"] <= s["accuracy_high"] <= 1, s
assert scores[0]["not_understood"] > 10 and scores[0]["missing"] > 2
PYTHON
"$VOCALGRAD" score "$release" answers.csv --json >again.json 2>words
expect "a table gives the same" cmp scores.json again.json
expect "missing rows are told" grep -q "has no row for .* of 168 items; they count as wrong" words
"$VOCALGRAD" score -q "$release" answers.jsonl --seed 43 --json >other.json 2>log
expect "another seed, other intervals" sh -c '! cmp -s scores.json other.json'
expect "the same accuracies" sh -c 'jq -c "[.scores[].accuracy]" scores.json >a && jq -c "[.scores[].accuracy]" other.json | cmp - a'
expect "CSV" sh -c "\"$VOCALGRAD\" score -q $release answers.jsonl --csv | python3 -c 'import csv, sys; rows = list(csv.DictReader(sys.stdin)); assert rows[0][\"field\"] == \"all\" and int(rows[0][\"items\"]) == 168'"
expect_exit 0 "^all items  *168 " "$VOCALGRAD" score "$release" answers.jsonl

jq -c '{key: .key, response: .label}' "$release/manifest.jsonl" >right.jsonl
expect_exit 0 "^all items  *168   100.00   100.00   100.00   100.00    50.00       0       0$" "$VOCALGRAD" score "$release" right.jsonl
jq -c '{key: .key, response: "increase"}' "$release/manifest.jsonl" >biased.jsonl
expect_exit 0 "^all items  *168    50.00    50.00    50.00    50.00   100.00 " "$VOCALGRAD" score "$release" biased.jsonl
(cat right.jsonl && head -n 1 right.jsonl) >double.jsonl
expect_exit 4 "double.jsonl:169: error: answers for .* again; line 1 did so already" "$VOCALGRAD" score "$release" double.jsonl
echo '{"key": "nothing", "response": "increase"}' >unknown.jsonl
expect_exit 4 "unknown.jsonl:1: error: is about nothing, which is no item" "$VOCALGRAD" score "$release" unknown.jsonl
echo '{"response": "increase"}' >nameless.jsonl
expect_exit 4 "nameless.jsonl:1: error: names no item or no answer" "$VOCALGRAD" score "$release" nameless.jsonl
echo 'increase' >text.jsonl
expect_exit 4 "text.jsonl:1: error: is no JSON object" "$VOCALGRAD" score "$release" text.jsonl
expect_exit 5 "nowhere.jsonl" "$VOCALGRAD" score "$release" nowhere.jsonl
expect_exit 2 "exclude each other" "$VOCALGRAD" score "$release" right.jsonl --json --csv

# --- the human study -----------------------------------------------------------------------------------------------------
"$VOCALGRAD" plan -q "$VG_TOP/specs/vctk-test.yaml" --set root=/nowhere --annotation >study.tsv 2>words
expect "50 of each category, one a speaker, balanced" python3 - <<'PYTHON'
import collections, csv
rows = list(csv.DictReader(open("study.tsv"), delimiter="\t", quoting=csv.QUOTE_NONE))
assert len(rows) == 9 * 50
for category in {r["category"] for r in rows}:
    mine = [r for r in rows if r["category"] == category]
    assert [r["position"] for r in mine] == [str(i) for i in range(1, 51)]
    assert len({r["speaker_id"] for r in mine}) == 50 and all(r["speaker_id"] for r in mine)
    assert collections.Counter(r["label"] for r in mine) == {"increase": 25, "decrease": 25}
    cells = collections.Counter((r["tier"], r["curve"]) for r in mine)
    assert len(cells) == 12 and set(cells.values()) <= {4, 5}
    for cell in cells:
        ways = collections.Counter(r["direction"] for r in mine if (r["tier"], r["curve"]) == cell)
        assert abs(ways["up"] - ways["down"]) <= 1
    labels = [r["label"] for r in mine]
    assert labels != sorted(labels) and mine != sorted(mine, key=lambda r: r["source_id"])
PYTHON
"$VOCALGRAD" plan -q "$VG_TOP/specs/vctk-test.yaml" --set root=/nowhere --annotation >again.tsv 2>words
expect "the same again" cmp study.tsv again.tsv
"$VOCALGRAD" plan -q "$VG_TOP/specs/vctk-test.yaml" --set root=/nowhere --set seed=43 --annotation >seed.tsv 2>words
expect "another seed, another study" sh -c '! cmp -s study.tsv seed.tsv'
expect "as JSON" sh -c "\"$VOCALGRAD\" plan -q --json --annotation --items 12 $VG_TOP/specs/vctk-test.yaml --set root=/nowhere | jq -se 'length == 108 and .[0].position == 1'"
expect_exit 0 "ablation_beep: volume: warning: has 1 speakers" "$VOCALGRAD" plan "$VG_TOP/specs/beep.yaml" --annotation

finish
