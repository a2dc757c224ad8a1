#!/bin/sh
# SPDX-License-Identifier: MIT
# Labels that the sound does not bear out: a 16 kHz release in the paper's recipe fails, or builds without them;
# the tables of what the measures say of a release.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/sphinx.yaml

# counted N PATTERN FILE: so many lines have it.
counted() {
    [ "$(grep -c -- "$2" "$3")" -eq "$1" ]
}

# fails_for N: the log of a build tells of N labels in each of two tiers, and of nothing else.
fails_for() {
    for tier in low mid; do
        expect "$tier: all $1 labels" \
            grep -q "audio_distortion $tier: error: $1 of $1 labels are not confirmed .* $1 no change, 0 undecided" log
    done
    expect "and no other tier or category" counted 2 error: log
}

# --- two tiers are no change ------------------------------------------------------------------------------
"$VOCALGRAD" build "$spec" -o failing >log 2>&1
expect "exit 1 by default" test $? -eq 1
fails_for 16
expect "nothing is left behind under its name" sh -c '! ls failing/*/manifest.jsonl'

release=$("$VOCALGRAD" build "$spec" -o out --set on_label=exclude 2>log)
expect "with exclude it is built" test -d "$release"
expect "and says what is left out" grep -q '^audio_distortion  *16  *16  *0  *0  *0  *[0-9]*  *32$' log
expect "nothing else is left out" counted 8 " 0$" log
expect "verify" "$VOCALGRAD" verify -q "$release" --level bytes,audio,labels
cat >balanced.py <<'PYTHON'
import collections, csv, json, sys
release, items, reasons = sys.argv[1], int(sys.argv[2]), set(sys.argv[3:])
left = {r["id"] + r["category"]: r["excluded"] for r in csv.DictReader(open(release + "/labels.csv")) if r["excluded"]}
assert left and set(left.values()) == reasons, collections.Counter(left.values())
pairs = collections.Counter()
for line in open(release + "/manifest.jsonl"):
    item = json.loads(line)
    assert item["id"] + item["category"] not in left
    pairs[item["category"], item["source"], item["tier"], item["curve"], item["direction"]] += 1
for category, source, tier, curve, direction in list(pairs):
    assert pairs[category, source, tier, curve, "up"] == pairs[category, source, tier, curve, "down"] == 1
about = json.load(open(release + "/release.json"))
assert about["counts"]["items"] == sum(pairs.values()) == items - len(left), about["counts"]
PYTHON
expect "both directions of all that is left" python3 balanced.py "$release" 432 no_change
both=$("$VOCALGRAD" build -q "$spec" -o both --set on_label=exclude --set on_below_jnd=exclude 2>log)
expect "an item goes with its opposite" python3 balanced.py "$both" 432 no_change below_jnd "opposite excluded"

# --- the demo, and a voice that is made, at 16 kHz --------------------------------------------------------
demo=$VG_TOP/specs/demo.yaml
voice=$VG_TOP/specs/voice.yaml
at_16000() {
    "$VOCALGRAD" build "$@" --set splits.speech.sources.0.sample_rate_hz=16000 \
        --set splits.beep.sources.0.sample_rate_hz=16000
}
made_at_16000() {
    "$VOCALGRAD" build "$voice" --only source=voice_01 --set splits.test.sources.0.sample_rate_hz=16000 "$@"
}
at_16000 "$demo" -o failing --set on_label=fail >log 2>&1
expect "the demo fails" test $? -eq 1
for tier in low mid; do
    expect "$tier: no change in three recordings, the fourth too short to say" \
        grep -q "audio_distortion $tier: error: 32 of 32 labels are not confirmed .* 24 no change, 8 undecided" log
done
release=$(at_16000 "$demo" -o out --set on_label=exclude 2>log)
expect "with exclude it is built" test -d "$release"
expect "without the two tiers" sh -c "! grep -q -e '\"category\":\"audio_distortion\".*\"tier\":\"low\"' -e '\"category\":\"audio_distortion\".*\"tier\":\"mid\"' $release/manifest.jsonl"
expect "with the third" grep -q '"category":"audio_distortion".*"tier":"high"' "$release/manifest.jsonl"
expect "balanced, and said to be" grep -q 'items are left out, each with its opposite' log
expect "both directions of all that is left" python3 balanced.py "$release" 960 no_change undecided "opposite excluded"

expect "what the sound alone opposes is said" grep -q '^[0-9]* of the undecided hold beside their source' log
expect "and stands in the table" \
    grep -q '^[^,]*,alsa_02__[a-z_]*__up,speech,volume,increase,undecided,.*,opposed,-' "$release/labels.csv"

made_at_16000 -o failing >log 2>&1
expect "a made voice fails by default" test $? -eq 1
fails_for 8
release=$(made_at_16000 -o out --set on_label=exclude 2>log)
expect "with exclude it is built" test -d "$release"
expect "16 items of the source are left out, as said" grep -q '^16 items are left out, each with its opposite' log
expect "both directions of all that is left" python3 balanced.py "$release" 216 no_change

# --- the tables -------------------------------------------------------------------------------------------
flagged=$("$VOCALGRAD" build -q "$spec" -o flagged --set on_label=flag 2>log)
expect "report as text" "$VOCALGRAD" verify "$flagged" --report
"$VOCALGRAD" verify "$flagged" --report >report 2>words
expect "the oracle's row" grep -q '^audio_distortion  *low  *0\.0  *0\.0  *0\.0  *0\.0  *0\.0  *16$' report
expect "beside people's" grep -q "^paper's listeners all  *93.7  *92.0  *93.8  *98.5  *94.5" report
expect "the leakage" grep -q '^Leakage' report
expect "the trends" grep -q '^voice_pitch  *2  *-*[0-9.]* .*semitones$' report
"$VOCALGRAD" verify "$flagged" --report --json >report.json 2>words
"$VOCALGRAD" verify "$flagged" --report --csv >report.csv 2>words
cat >report.py <<'PYTHON'
import csv, json, statistics, sys
items = [json.loads(line) for line in open(sys.argv[1] + "/manifest.jsonl")]
report = json.load(open("report.json"))["report"]
rows = list(csv.DictReader(open("report.csv")))
sign = lambda item: 1 if item["direction"] == "up" else -1
own = lambda item, kind: item["evidence"][kind][item["category"]]
def near(a, b): assert (a is None and b is None) or abs(a - b) < 1e-12, (a, b)
for cell in report["cells"]:
    mine = [i for i in items if all(cell[f] in (None, i[f]) for f in ("category", "tier", "curve"))]
    assert cell["items"] == len(mine)
    for verdict in ("confirmed", "opposed", "no_change", "undecided"):
        assert cell[verdict] == sum(i["verdict"] == verdict for i in mine)
    near(cell["paired_share"], cell["confirmed"] / len(mine))
    near(cell["blind_share"], sum(own(i, "blind")["net"] * sign(i) > 0 for i in mine) / len(mine))
    assert cell["below_jnd"] == sum(i["below_jnd"] and i["verdict"] == "confirmed" for i in mine)
for leak in report["leakage"]:
    nets = [i["evidence"]["paired"][leak["measure"]] for i in items if i["category"] == leak["category"]]
    nets = [n["net_jnd"] * sign(i) for n, i in zip(nets, [i for i in items if i["category"] == leak["category"]]) if n["sign"] != 2]
    near(leak["median_jnd"], statistics.median(nets) if nets else None)
measures = [t["measure"] for t in report["trends"]]
for source in report["sources"]:
    for measure, trend in zip(measures, source["trends"]):
        pairs = {}
        for i in items:
            if i["source"] == source["id"] and i["evidence"]["blind"][measure]["sign"] != 2:
                pairs.setdefault((i["category"], i["tier"], i["curve"]), []).append(i["evidence"]["blind"][measure]["net"])
        means = [sum(p) / 2 for p in pairs.values() if len(p) == 2]
        near(trend, statistics.median(means) if means else None)
for trend, column in zip(report["trends"], zip(*(s["trends"] for s in report["sources"]))):
    near(trend["mean"], statistics.mean(column))
    near(trend["deviation"], statistics.stdev(column))
assert sum(r["table"] == "oracle" for r in rows) == len(report["cells"]) == 10 * 4 * 5
assert sum(r["table"] == "leakage" for r in rows) == 81
assert sum(r["table"] == "against" for r in rows) == len(report["against"])
for r, cell in zip(rows, report["cells"]):
    near(float(r["paired_share"]), cell["paired_share"])
    near(float(r["human_share"]), cell["human_share"])
PYTHON
expect "as recomputed from the manifest" python3 report.py "$flagged"
expect "with --level all of it is checked" sh -c "$VOCALGRAD verify $flagged --report --json --level bytes,labels | jq -e '(.checks | map(.name)) == [\"bytes\", \"labels\", \"report\"]'"
expect_exit 2 "csv goes with --report" "$VOCALGRAD" verify "$flagged" --csv
expect_exit 5 "nowhere" "$VOCALGRAD" verify nowhere --report

finish
