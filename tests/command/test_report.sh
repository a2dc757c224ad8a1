#!/bin/sh
# SPDX-License-Identifier: MIT
# report: a page that is well-formed, fetches nothing, is the same everywhere, agrees with the release's tables, and
# that no name can break out of.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/small.yaml
release=$("$VOCALGRAD" build -q "$spec" -o out 2>log)

# page.py FILE: parses the page as XML and says what is in it.
cat >page.py <<'PYTHON'
import json, re, sys
import xml.etree.ElementTree as ET
text = open(sys.argv[1], encoding="utf-8").read()
assert text.startswith("<!DOCTYPE html>\n")
root = ET.fromstring(text)
parents = {c: p for p in root.iter() for c in p}
words = lambda e: " ".join("".join(e.itertext()).split())


def check_safe():
    ids = [e.get("id") for e in root.iter() if e.get("id") is not None]
    assert len(ids) == len(set(ids)), "an id twice"
    for e in root.iter():
        assert e.tag not in ("script", "link", "img", "iframe", "object", "embed", "base", "image", "use", "form"), e.tag
        for name, value in e.attrib.items():
            assert not name.startswith("on") and name not in ("src", "srcset", "action", "data"), name
            if name.endswith("href"):
                assert value.startswith("#") and value[1:] in ids, value
            if name in ("aria-labelledby",):
                assert value in ids, value
            if name == "style":
                assert re.fullmatch(r"--across:\d+", value), value
    style = root.find("head/style").text
    assert not re.search(r"url\(|@import|expression", style)
    assert "default-src 'none'" in root.find("head/meta[@http-equiv]").get("content")


def check_readable():
    assert root.get("lang") == "en" and words(root.find("head/title"))
    assert [len(root.findall("body/" + n)) for n in ("header", "nav", "main", "footer")] == [1, 1, 1, 1]
    levels = [int(e.tag[1]) for e in root.iter() if re.fullmatch("h[1-6]", e.tag)]
    assert levels[0] == 1 and levels.count(1) == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels
    for svg in root.iter("svg"):
        assert svg.get("role") == "img" and svg.get("aria-label"), "a plot without words"
        figure = svg
        while figure.tag != "figure":
            figure = parents[figure]
        assert figure.find("figcaption/details//table") is not None, "a plot without its numbers"
        assert words(figure.find("figcaption/p[@class='how']/code")), "a plot without its command"
        assert re.fullmatch(r"[0-9. ]+", svg.get("viewBox"))
        for mark in svg.iter():
            for name in ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height"):
                if mark.get(name) is not None:
                    assert -60 <= float(mark.get(name)) <= 900, (mark.tag, mark.attrib)
            assert "nan" not in mark.get("d", "").lower() and "inf" not in mark.get("d", "").lower()
    for row in root.iter("tr"):
        first = list(row)[0]
        assert first.tag == "th" and first.get("scope") in ("row", "col")
    for table in root.iter("table"):
        assert words(table.find("caption"))
        assert {len(list(row)) for row in table.iter("tr")} == {len(list(next(table.iter("tr"))))}, words(table.find("caption"))


def tables():
    found = {}
    for table in root.iter("table"):
        rows = [[words(c) for c in row] for row in table.iter("tr")]
        found.setdefault(words(table.find("caption")), []).extend(dict(zip(rows[0], r)) for r in rows[1:])
    return found


check_safe()
check_readable()
json.dump({"title": words(root.find("head/title")), "lead": words(root.find("body/header/p")), "tables": tables(),
           "panels": len(root.findall(".//svg")), "text": words(root.find("body"))}, sys.stdout)
PYTHON

# --- the page ---------------------------------------------------------------------------------------------------------
expect "a page" "$VOCALGRAD" report "$release" -o page.html
expect "it is XML and HTML, safe and readable" sh -c 'python3 page.py page.html >page.json'
if command -v xmllint >/dev/null; then
    expect "xmllint agrees" xmllint --noout --nonet page.html
fi
expect "no address in it" sh -c '! grep -n "http[s]*:" page.html'
expect "no path of the machine in it" sh -c "! grep -n '$work\\|$VG_TOP' page.html"

# --- the same everywhere ------------------------------------------------------------------------------------------------
expect "twice" "$VOCALGRAD" report -q "$release" -o again.html
expect "the same bytes" cmp page.html again.html
mkdir elsewhere && cp -r "$release" elsewhere/moved
expect "another folder, name, locale and zone" sh -c "cd elsewhere && LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 TZ=Asia/Kolkata \"$VOCALGRAD\" report -q moved -o page.html"
expect "the same bytes there" cmp page.html elsewhere/page.html
expect "the release is as it was" "$VOCALGRAD" verify -q "$release"

# --- the numbers ----------------------------------------------------------------------------------------------------------
# ids of this release hold no comma, so that the first seven columns and the tenth can be counted by awk.
awk -F, 'NR > 1 { n[$4]++; split_of[$4 "," $3]++; if ($6 == "confirmed") c[$4]++ } END { for (k in n) print k, n[k], c[k] + 0, split_of[k ",beep"] + 0, split_of[k ",speech"] + 0 }' "$release/labels.csv" | sort >counted
expect "counts and verdicts of labels.csv, counted by awk" python3 - <<'PYTHON'
import json
tables = json.load(open("page.json"))["tables"]
number = lambda text: int(text.replace(",", ""))
seen = 0
for line in open("counted"):
    name, items, confirmed, beep, speech = line.split()
    row = next(r for r in tables["Verdicts and changes per category"] if r["category"] == name)
    assert number(row["items"]) == int(items) and number(row["confirmed"]) == int(confirmed), (row, line)
    row = next(r for r in tables["Items by split"] if r["category"] == name)
    assert (number(row["beep"]), number(row["speech"]), number(row["all"])) == (int(beep), int(speech), int(items)), row
    bins = tables["Histogram of " + name] if "Histogram of " + name in tables else []
    assert sum(number(b["confirmed"]) for b in bins) == int(confirmed), (name, bins)
    seen += int(items)
assert seen == 168
PYTHON
expect "courses, changes, spans and the oracle, counted by Python" python3 - "$release" <<'PYTHON'
import csv, json, statistics, sys
page = json.load(open("page.json"))
tables = page["tables"]
rows = [json.loads(line) for line in open(sys.argv[1] + "/manifest.jsonl", encoding="utf-8")]
value = lambda text: None if text == "\u2013" else float(text.replace("\u2212", "-").replace("\u00a0%", ""))
near = lambda text, x, e=0.0051: abs(value(text) - x) <= e
mine = [r for r in rows if r["category"] == "volume" and r["verdict"] != "undecided"]
nets = [(1 if r["direction"] == "up" else -1) * r["evidence"]["paired"]["volume"]["net_jnd"] for r in mine]
row = next(r for r in tables["Verdicts and changes per category"] if r["category"] == "volume")
assert near(row["median"], statistics.median(nets)), (row, statistics.median(nets))
course = next(v for k, v in tables.items() if k.startswith("Courses of volume"))
for tier in ("low", "mid", "high"):
    for curve in ("linear", "quad_first_flat", "quad_last_flat", "jump"):
        cell = [r for r in mine if (r["tier"], r["curve"], r["direction"]) == (tier, curve, "up")]
        found = next(r for r in course if r["tier, curve"] == f"{tier}, {curve}" and r["what"].startswith("up of"))
        assert found["what"] == f"up of {len(cell)} items", found
        for s, column in enumerate(["4.2 %", "45.8 %", "95.8 %"]):
            at = [0, 5, 11][s]
            each = [(lambda t: t[at * len(t) // 12])(r["evidence"]["paired"]["volume"]["trajectory"]) for r in cell]
            each = [x for x in each if x is not None]
            assert near(found[column], statistics.median(each)), (found, each)
        asked = next(r for r in course if r["tier, curve"] == f"{tier}, {curve}" and r["what"] == "asked")
        size = {"low": 6, "mid": 12, "high": 18}[tier]
        p = {"linear": 0.5 / 12, "quad_first_flat": (0.5 / 12) ** 2, "quad_last_flat": 1 - (1 - 0.5 / 12) ** 2, "jump": 0}[curve]
        assert near(asked["4.2 %"], size * (2 * p - 1)), asked
sources = list(csv.DictReader(open(sys.argv[1] + "/sources.csv", encoding="utf-8")))
quantiles = {r["length of"]: r for r in tables["Quantiles of the durations"]}
assert near(quantiles["recording"]["longest, s"], max(float(s["duration_sec"]) for s in sources))
assert near(quantiles["speech"]["median"], statistics.median(float(s["offset_sec"]) - float(s["onset_sec"]) for s in sources))
oracle = tables["Right answers of the measures and of the paper's listeners"]
whole = next(r for r in oracle if (r["category"], r["tier"], r["curve"]) == ("all", "all", "all"))
right = 100 * sum(r["verdict"] == "confirmed" for r in rows) / len(rows)
assert near(whole["P right, %"], right) and near(whole["listeners, %"], 94.51), whole
assert {r["curve"]: r["listeners, %"] for r in oracle if r["category"] == "all" and r["tier"] == "all"}["jump"] == "98.46"
leak = next(r for r in tables["Median change along the label, JND"] if r["items about"] == "background_noise")
side = [(1 if r["direction"] == "up" else -1) * r["evidence"]["paired"]["volume"]["net_jnd"] for r in rows
        if r["category"] == "background_noise" and r["evidence"]["paired"]["volume"]["sign"] != 2]
assert near(leak["volume"], statistics.median(side)), (leak, statistics.median(side))
assert len(tables["Shortcuts"]) == 9 * 4
PYTHON
"$VOCALGRAD" verify "$release" --level shortcuts 2>words >shortcuts.md
expect "shortcuts as verify has them" python3 - <<'PYTHON'
import json
table = json.load(open("page.json"))["tables"]["Shortcuts"]
lines = [l.strip().strip("|").split("|") for l in open("shortcuts.md") if l.startswith("|")]
heads = [h.strip() for h in lines[0]]
seen = 0
for line in lines[2:]:
    for k in range(1, len(heads)):
        row = next(r for r in table if r["category"] == line[0].strip() and r["shortcut"] == heads[k])
        cell = line[k].strip()
        auc = cell.split()[0].strip("*")
        assert row["AUC"] == auc and row["tells"] == ("yes" if cell.startswith("**") else "no"), (row, cell)
        assert cell.split("(")[1] == f'{row["chance, from"]} {row["to"]})', (row, cell)
        seen += 1
assert seen == 36
PYTHON

"$VOCALGRAD" verify "$release" --report --csv 2>words >tables.csv
expect "the oracle, leakage and trends as verify has them" python3 - <<'PYTHON'
import csv, json
tables = json.load(open("page.json"))["tables"]
same = lambda text, number, by=1, digits=2: text == "\u2013" if number == "" else abs(
    float(text.replace("\u2212", "-")) - by * float(number)) <= 0.51 * 10**-digits
seen = dict(oracle=0, leakage=0, trend=0)
for row in csv.DictReader(open("tables.csv")):
    if row["table"] == "oracle":
        key = {k: row[k] or "all" for k in ("category", "tier", "curve")}
        mine = [r for r in tables["Right answers of the measures and of the paper's listeners"] if all(r[k] == key[k] for k in key)]
        assert len(mine) == 2, key  # below the paired figure and below the blind one
        for r in mine:
            assert r["items"] == row["items"] and same(r["P right, %"], row["paired_share"], 100), (r, row)
            assert same(r["B right, %"], row["blind_share"], 100) and same(r["listeners, %"], row["human_share"], 100), (r, row)
    elif row["table"] == "leakage":
        mine = next(r for r in tables["Median change along the label, JND"] if r["items about"] == row["category"])
        assert same(mine[row["measure"]], row["median_jnd"]), (mine, row)
    elif row["table"] == "trend":
        mine = next(r for r in tables["Trends of the sources, as the blind measures hear them"] if r["attribute"] == row["measure"])
        assert same(mine["mean"], row["trend"]) and same(mine["standard deviation"], row["deviation"]) and same(mine["median"], row["median"]), (mine, row)
    else:
        continue
    seen[row["table"]] += 1
assert seen["oracle"] >= 100 and seen["leakage"] == 36 and seen["trend"] == 9, seen
PYTHON

# --- names that would be markup, and a category of which nothing is left --------------------------------------------------
cat >hostile.yaml <<EOF
extends: $VG_TOP/specs/paper.yaml
name: vocalgrad-hostile
version: 0.1.0
description: '<script>alert(1)</script> </style><b onload="x">&amp; "quoted" ''single'' ]]> -->'
license: CC0-1.0
curves: [linear, jump]
card: {citation: '</pre><script>cite()</script>'}
categories: {audio_distortion: {tiers: {low: {effective_sr_min: 15000}, mid: {effective_sr_min: 15000}, high: {effective_sr_min: 15000}}}}
splits:
  tones:
    categories: [volume, audio_distortion]
    sources:
      - {kind: tone, id: "<script>i('{n}')</script>&\"", clip_id: "c<d>", speaker_id: "<i>", sentence_id: "&lt;",
         text: "<script>t()</script>", sample_rate_hz: 16000, lead_sec: 0.2, tone_sec: 1.3, tail_sec: 0.2, amplitude: 0.65,
         frequencies_hz: [700, 850]}
  speech:
    categories: [volume]
    sources:
      - {kind: table, table: $VG_TOP/tests/command/odd.csv, root: /usr/share/sounds/alsa, limit: 3,
         corpus: "\"><img src=x onerror=y>", licence: "<a href='javascript:1'>\\u202e \\u0085"}
on_label: exclude
EOF
hostile=$("$VOCALGRAD" build -q hostile.yaml -o out 2>log)
expect "a page of hostile names" "$VOCALGRAD" report -q "$hostile" -o hostile.html
expect "nothing broke out" sh -c 'python3 page.py hostile.html >hostile.json'
expect "every name is there as text" python3 - <<'PYTHON'
import json
page = json.load(open("hostile.json"))
assert page["lead"] == "<script>alert(1)</script> </style><b onload=\"x\">&amp; \"quoted\" 'single' ]]> -->", page["lead"]
assert "</pre><script>cite()</script>" in page["text"]
origin = page["tables"]["Where the sources come from"]
assert any(r["corpus"] == '"><img src=x onerror=y>' for r in origin), origin
assert any(r["licence"].startswith("<a href='javascript:1'>\ufffd") for r in origin), origin
assert "\u202e" not in page["text"]
PYTHON
expect "a category without items, and why" python3 - <<'PYTHON'
import json
page = json.load(open("hostile.json"))
row = next(r for r in page["tables"]["Verdicts and changes per category"] if r["category"] == "audio_distortion")
assert row["items"] == "0" and row["share"] == "\u2013" and row["left out"] == "24", row
row = next(r for r in page["tables"]["Items by split"] if r["category"] == "audio_distortion")
assert row["all"] == "0", row
left = [r for r in page["tables"]["Out of labels.csv"] if r["category"] == "audio_distortion"]
assert sum(int(r["items"]) for r in left) == 24 and any("no_change" in r["why"] for r in left), left
assert "no items" in page["text"]
PYTHON

# --- one part of a release, and one of the other engine -------------------------------------------------------------------
part=$("$VOCALGRAD" build -q "$spec" -o out --shard 1/2 2>log)
expect "a part" sh -c "\"$VOCALGRAD\" report -q $part -o part.html && python3 page.py part.html | grep -q '1 of 2: merge'"
other=$("$VOCALGRAD" build -q "$VG_TOP/specs/true.yaml" -o out --only source=voice_01 --only tier=high --only curve=linear,jump 2>log)
expect "true-1" sh -c "\"$VOCALGRAD\" report -q $other -o other.html && python3 page.py other.html >other.json"
expect "what true-1 asks is what is measured" python3 - <<'PYTHON'
import json
tables = json.load(open("other.json"))["tables"]
value = lambda text: float(text.replace("\u2212", "-"))
course = next(v for k, v in tables.items() if k.startswith("Courses of volume"))
rows = {r["what"]: r for r in course if r["tier, curve"] == "high, linear"}
for column in ("4.2 %", "29.2 %", "70.8 %", "95.8 %"):
    asked = [r for r in course if r["tier, curve"] == "high, linear" and r["what"] == "asked"][0]
    assert abs(value(asked[column]) - value(rows["up of 1 items"][column])) < 0.5, (asked, rows)
PYTHON

# --- what is no release, or no more the release that it was ---------------------------------------------------------------
expect_exit 2 "needs -o FILE.html" "$VOCALGRAD" report "$release"
expect_exit 2 "lies in the folder of a release" "$VOCALGRAD" report "$release" -o "$release/report.html"
expect_exit 2 "expected: vocalgrad report RELEASE" "$VOCALGRAD" report -o x.html
expect_exit 5 "nowhere/release.json" "$VOCALGRAD" report nowhere -o x.html
expect_exit 5 "nowhere/page.html" "$VOCALGRAD" report "$release" -o nowhere/page.html
mkdir foreign && echo '{"name": "other"}' >foreign/release.json
expect_exit 1 "is not a vocalgrad release" "$VOCALGRAD" report foreign -o x.html
for file in manifest.jsonl labels.csv sources.csv spec.yaml release.json; do
    rm -rf bad && cp -r "$release" bad
    sed -i '1s/volume/volumf/; 1s/vocalgrad/vocalgrae/; 1s/label/lebal/; 1s/speaker_id/speaker_ie/' "bad/$file"
    expect "$file differs" sh -c "! cmp -s $release/$file bad/$file"
    expect_exit 1 "bad/$file: error: is not the file that CHECKSUMS lists" "$VOCALGRAD" report bad -o x.html
    rm "bad/$file"
    expect_exit 5 "bad/$file" "$VOCALGRAD" report bad -o x.html
    mkfifo "bad/$file"
    expect_exit 5 "bad/$file" timeout 60 "$VOCALGRAD" report bad -o x.html
done
rm -rf bad && cp -r "$release" bad && rm bad/CHECKSUMS
expect_exit 5 "bad/CHECKSUMS" "$VOCALGRAD" report bad -o x.html
rm -rf bad && cp -r "$release" bad && sed -i 2d bad/manifest.jsonl
sed -i "s/^[0-9a-f]*  manifest.jsonl/$(xxhsum -q -H2 bad/manifest.jsonl | cut -c1-32)  manifest.jsonl/" bad/CHECKSUMS
expect_exit 1 "has 167 items, release.json counts 168" "$VOCALGRAD" report bad -o x.html
expect "no page of any" test ! -e x.html

finish
