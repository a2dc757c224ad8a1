#!/bin/sh
# SPDX-License-Identifier: MIT
# serve --annotate without a browser: who may answer what, one line an answer whatever happens, and nothing that
# tells the label.  score --annotations against an independent count.
# shellcheck disable=SC2016
. "$(dirname -- "$0")/lib.sh"
command -v curl >/dev/null || {
    echo "curl is not here; ci/test installs it"
    exit 77
}

cat >spec.yaml <<YAML
extends: $VG_TOP/specs/paper.yaml
name: vocalgrad-people
version: 0.1.0
description: Twelve short tones that count as twelve speakers.
license: CC0-1.0
splits:
  test:
    categories: [volume, background_noise]
    sources:
      - kind: tone
        id: tone_{n:02}
        clip_id: tone_{n:02}
        speaker_id: person_{n:02}
        sentence_id: "{n:03}"
        text: tone {n:02}
        sample_rate_hz: 8000
        lead_sec: 0.05
        tone_sec: 0.4
        tail_sec: 0.05
        amplitude: 0.4
        frequencies_hz: [400, 440, 480, 520, 560, 600, 640, 680, 720, 760, 800, 840]
on_label: flag
YAML
release=$("$VOCALGRAD" build -q spec.yaml -o out 2>log)
"$VOCALGRAD" plan -q --json --annotation --items 12 spec.yaml >study.jsonl 2>log
jq -r 'select(.category == "volume") | .label' study.jsonl >labels
jq -r 'select(.category == "volume") | .key' study.jsonl >keys
cat >people.csv <<'CSV'
name,token,categories
Ann,ann-secret-1,volume
"Bob, B.",bob-secret-1,"background_noise, volume"
Zoë,zoe-secret-1,
CSV

# start: the server; $url when it listens.  stop SIGNAL: it is gone when this returns.
start() {
    : >url
    "$VOCALGRAD" serve "$release" --annotate answers --annotators people.csv --items 12 --port 0 >url 2>server.log &
    server=$!
    i=0
    while [ ! -s url ] && [ $i -lt 600 ] && kill -0 $server 2>/dev/null; do
        sleep 0.1
        i=$((i + 1))
    done
    url=$(cat url)
    url=${url%/}
}
stop() {
    kill "-$1" $server
    wait $server 2>/dev/null
}
# ask WHO PATH [CURL OPTION]...: status in $status, headers in headers, body in body; all is kept in traffic.
ask() {
    who=$1
    path=$2
    shift 2
    status=$(curl -s -b "$who.jar" -c "$who.jar" -D headers -o body -w '%{http_code}' "$@" "$url$path")
    { echo "$path"; cat headers body; } >>"traffic.$who"
}
enter() { ask "$1" /enter --data-urlencode "name=$2" --data-urlencode "token=$3"; }
answer() { ask "$1" "/answer/$2" -d "answer=$3&replays=${4:-0}&response_ms=${5:-1234}"; }
is() { [ "$status" = "$1" ] || { echo "status $status, expected $1"; cat body; return 1; }; }
lines() { [ "$(wc -l <answers/answers.jsonl)" -eq "$1" ] || { cat answers/answers.jsonl; return 1; }; }

# --- who takes part ----------------------------------------------------------------------------------------------
serve() { "$VOCALGRAD" serve "$release" --annotate elsewhere --annotators "$1" --port 0; }
expect_exit 2 "annotate and --annotators go together" "$VOCALGRAD" serve "$release" --annotate answers
expect_exit 2 "annotate and --annotators go together" "$VOCALGRAD" serve "$release" --annotators people.csv
expect_exit 5 "nobody.csv: error: cannot open" serve nobody.csv
printf 'name,categories\nAnn,volume\n' >bad.csv
expect_exit 2 "bad.csv:1: error: has no column token" serve bad.csv
printf 'name\ttoken\tcategories\n' >bad.tsv
expect_exit 2 "bad.tsv: error: names nobody" serve bad.tsv
cat >bad.csv <<'CSV'
name,token,categories
Ann,ann-secret-1,volum
Ann,bob-secret-1,volume
Cyd,short,volume volume
,dan-secret-1,
Eve,ann-secret-1,
CSV
expect_exit 2 "bad.csv:2: error: volum is no category of the split test; did you mean volume?" serve bad.csv
expect_exit 2 "bad.csv:3: error: Ann is there twice" serve bad.csv
expect_exit 2 "bad.csv:4: error: Cyd has a token that is not of 8 to 256 characters" serve bad.csv
expect_exit 2 "bad.csv:4: error: volume is assigned twice" serve bad.csv
expect_exit 2 "bad.csv:5: error: the name is empty" serve bad.csv
expect_exit 2 "bad.csv:6: error: Eve has the token of somebody else" serve bad.csv
expect_exit 2 "nosplit is no split" "$VOCALGRAD" serve "$release" --annotate elsewhere --annotators people.csv --split nosplit
head -c 24 /dev/zero | tr '\000' t >token
chmod 600 token
study() { "$VOCALGRAD" serve "$release" --annotators people.csv --port 0 "$@"; }
expect_exit 2 "--token: error: guards the list; annotators have tokens of their own" study --annotate elsewhere --token token
expect_exit 2 "--sources: error: annotators hear no sources" study --annotate elsewhere --sources spec.yaml
expect_exit 2 "answers lies inside the release; give a folder beside it" study --annotate "$release/answers"
expect_exit 2 "lies inside the release" sh -c 'cd "$1" && "$VOCALGRAD" serve . --annotators "$2" --port 0 --annotate a/b' - "$release" "$PWD/people.csv"
expect "none of these left a folder" sh -c "! test -e elsewhere && ! test -e $release/answers && ! test -e $release/a"

# --- who may ask what -------------------------------------------------------------------------------------------
start
ask nobody /
expect "the page" is 200
for path in /state /sound/1; do
    ask nobody $path
    expect "$path without a session" is 401
done
answer nobody 1 increase
expect "an answer without a session" is 401
enter nobody Ann ann-secret-2
expect "a wrong token" is 403
enter nobody Bob ann-secret-1
expect "a token of somebody else" is 403
expect "no cookie for it" sh -c '! grep -qi set-cookie headers'
enter nobody "" ""
expect "no name and no token" is 403
expect "a wrong token is logged" grep -q "POST /enter 403: wrong name or token" server.log
expect "and not its text" sh -c '! grep -q ann-secret server.log'
status=$(curl -s -o body -w '%{http_code}' -H "Cookie: vocalgrad_annotator=0000000000000000000000000000000000000000000000000000000000000000" "$url/state")
expect "a made-up session" is 401
expect "the key of sessions is nobody else's" sh -c '[ "$(stat -c %a answers/session.key)" = 600 ] && [ "$(wc -c <answers/session.key)" -eq 64 ]'
for path in /api/items /api/release /items /item/x /manifest.jsonl /release.json /assets/list.js /assets/annotate.js /login \
    /sound/../state /sound/1/2 /sound/ /answers.jsonl; do
    ask nobody $path --path-as-is
    expect "$path is not served" sh -c "[ $status = 404 ] || [ $status = 400 ]"
done

enter ann Ann ann-secret-1
expect "Ann comes in" is 200
expect "by a cookie that scripts cannot read" grep -qi "^set-cookie: vocalgrad_annotator=[0-9a-f]*; Path=/; HttpOnly; SameSite=Strict" headers
expect "the first question" jq -e '.current.number == 1 and .items == 12 and .done == 0 and
    .current.question == "Does the volume increase or decrease over time?"' body
ask ann /sound/1
expect "its sound" is 200
expect "is FLAC" flac -ts body
cp body first.flac
ask ann /sound/1 -r 10-19
expect "a part of it" is 206
expect "of ten bytes" sh -c 'cmp -s -n 10 -i 0:10 body first.flac && [ $(wc -c <body) -eq 10 ]'
for number in 2 12; do
    ask ann /sound/$number
    expect "sound $number is not the next one" is 403
    answer ann $number increase
    expect "nor is its answer" is 409
done
for number in 0 13 01 1x -1 99999999999999999999; do
    ask ann "/sound/$number"
    expect "sound $number was not assigned" is 404
    answer ann "$number" increase
    expect "nor its answer" is 404
done
for form in "answer=up&replays=0&response_ms=1" "replays=0&response_ms=1" "answer=increase&replays=-1&response_ms=1" \
    "answer=increase&replays=0&response_ms=86400001" "answer=increase&replays=1e3&response_ms=1" \
    "answer=increase&replays=0&response_ms=" "answer=increase" "answer=increase&answer=decrease&replays=0&response_ms=1" \
    "answer=increase&replays=0&response_ms=1&more=1"; do
    ask ann /answer/1 -d "$form"
    expect "$form is refused" is 400
done
ask ann /answer/1
expect "GET does not answer" is 405
status=$(curl -s -b ann.jar -o body -w '%{http_code}' -H "Origin: http://evil.example" -d "answer=increase&replays=0&response_ms=1" "$url/answer/1")
expect "a page of another server cannot answer" is 403
expect "nothing of that is an answer" lines 0

# --- one line an answer -------------------------------------------------------------------------------------------
answer ann 1 increase 3 4567
expect "an answer" is 200
expect "is a line" lines 1
expect "with all that was measured" jq -e --arg key "$(head -n 1 keys)" '.annotator == "Ann" and .answer == "increase" and
    .category == "volume" and .key == $key and .position == 1 and .replays == 3 and .response_ms == 4567 and
    (.utc | fromdateiso8601 > 1700000000) and (.release_id | length == 32)' answers/answers.jsonl
expect "its time is now" sh -c '[ $(($(date +%s) - $(jq ".utc | fromdateiso8601" answers/answers.jsonl))) -lt 3600 ]'
answer ann 1 increase 0 1
expect "the same again is fine" is 200
answer ann 1 decrease
expect "another one is not" is 409
expect "and there is one line still" lines 1
ask ann /sound/1
expect "what is answered is not heard again" is 403

expect_exit 5 "another server keeps its answers here" "$VOCALGRAD" serve "$release" --annotate answers --annotators people.csv --port 0

# Two browsers of hers at once, and somebody else: twenty times the same two answers.
cp ann.jar ann2.jar
enter bob "Bob, B." bob-secret-1
for i in 1 2 3 4 5 6 7 8 9 10; do
    for who in ann ann2; do
        curl -s -b $who.jar -o /dev/null -d "answer=decrease&replays=$i&response_ms=1" "$url/answer/2" &
        racers="${racers:-} $!"
    done
    curl -s -b bob.jar -o /dev/null -d "answer=increase&replays=$i&response_ms=1" "$url/answer/1" &
    racers="$racers $!"
done
# shellcheck disable=SC2086
wait $racers
expect "each is one line" lines 3
expect "one of each" sh -c '[ "$(jq -r "[.annotator, .key] | join(\" \")" answers/answers.jsonl | sort -u | wc -l)" -eq 3 ]'
expect "Bob hears the noise first" sh -c "[ \"\$(jq -r 'select(.annotator == \"Bob, B.\") | .category' answers/answers.jsonl)\" = background_noise ]"

# --- killed, torn, resumed ----------------------------------------------------------------------------------------
i=0
while [ $i -lt 40 ] && [ "$status" != 429 ]; do
    enter nobody Ann "wrong-secret-$i"
    i=$((i + 1))
done
expect "guessing is slowed down" is 429
enter nobody Ann ann-secret-1
expect "with the right token too" is 429
ask ann /state
expect "who is in stays in" is 200
stop KILL
printf '{"annotator":"Ann","answer":"incr' >>answers/answers.jsonl
start
expect "what was cut off is told" grep -q "answers.jsonl: warning: ended in 33 bytes of an answer that was never confirmed" server.log
expect "and set aside" grep -qx '{"annotator":"Ann","answer":"incr' answers/answers.jsonl.torn
expect "the rest stands" lines 3
ask ann /state
expect "the session goes on" is 200
expect "where it was" jq -e '.done == 2 and .current.number == 3' body
answer ann 3 increase
expect "and takes answers" lines 4
stop KILL
cp answers/answers.jsonl kept
(head -n 1 kept && echo broken && tail -n 3 kept) >answers/answers.jsonl
expect_exit 4 "answers.jsonl:2: error: is no JSON object" "$VOCALGRAD" serve "$release" --annotate answers --annotators people.csv --port 0
(cat kept && head -n 1 kept) >answers/answers.jsonl
expect_exit 4 "answers.jsonl:5: error: Ann answers .* again; answers/answers.jsonl:1 did so already" \
    "$VOCALGRAD" serve "$release" --annotate answers --annotators people.csv --port 0
sed 's/"release_id":"..../"release_id":"0000/' kept >answers/answers.jsonl
expect_exit 4 "answers.jsonl:1: error: is about the release 0000" "$VOCALGRAD" serve "$release" --annotate answers --annotators people.csv --port 0
cp kept answers/answers.jsonl

# --- the disk is full -----------------------------------------------------------------------------------------------
# A limit on the size of files stands for it: 512 to 1023 bytes more than there are, a line has some 220.
size=$(wc -c <answers/answers.jsonl)
: >url
(
    trap '' XFSZ
    ulimit -f $(((size + 511) / 512 + 1))
    exec "$VOCALGRAD" serve "$release" --annotate answers --annotators people.csv --items 12 --port 0 >url 2>server.log
) &
server=$!
i=0
while [ ! -s url ] && [ $i -lt 600 ]; do
    sleep 0.1
    i=$((i + 1))
done
url=$(cat url)
url=${url%/}
full=0
for number in 4 5 6 7 8; do
    before=$(wc -l <answers/answers.jsonl)
    answer ann $number increase
    if [ "$status" = 507 ]; then
        full=$((full + 1))
        break
    fi
    expect "an answer while there is room" sh -c "[ $status = 200 ] && [ \$(wc -l <answers/answers.jsonl) -eq $((before + 1)) ]"
done
expect "then the browser is told that it is not saved" [ $full -eq 1 ]
expect "in words" jq -e '.error | test("could not be saved")' body
expect "no part of it is left" sh -c "[ \"\$(tail -c 1 answers/answers.jsonl | od -An -c | tr -d ' ')\" = '\\n' ] && [ \$(wc -l <answers/answers.jsonl) -eq $before ]"
expect "every line is whole" jq -e . answers/answers.jsonl
expect "the log says why" grep -q "507: not saved: .*answers.jsonl: cannot write an answer: File too large" server.log
stop TERM
start
answer ann "$number" increase
expect "with room again it is saved" sh -c "[ $status = 200 ] && [ \$(wc -l <answers/answers.jsonl) -eq $((before + 1)) ]"
stop TERM
mkdir -p odd
ln -s /dev/full odd/answers.jsonl
expect_exit 5 "is no regular file" "$VOCALGRAD" serve "$release" --annotate odd --annotators people.csv --port 0

# --- to the end, and label hunting ------------------------------------------------------------------------------------
start
sizes=
number=$((number + 1))
while [ "$number" -le 12 ]; do
    ask ann "/sound/$number"
    expect "sound $number" is 200
    sizes="$sizes $(grep -i '^content-length' headers | tr -d '\r' | cut -d ' ' -f 2)"
    expect "no tag, no picture, no sum of it" sh -c "[ \"\$(metaflac --list body | grep -c '^METADATA')\" = 2 ] && metaflac --show-md5sum body | grep -qx 00000000000000000000000000000000"
    answer ann "$number" "$(sed -n ${number}p labels)"
    expect "answer $number" is 200
    number=$((number + 1))
done
expect "all is answered" jq -e '.current == null and .done == 12' body
expect "all sounds are of one size" sh -c "[ \$(printf '%s\n' $sizes | sort -u | wc -l) -eq 1 ]"
enter zoe Zoë zoe-secret-1
expect "who has no category has all" jq -e '.items == 24 and .current.parts == 2' body
expect "the browser's own route is not there" sh -c "[ \$(curl -s -o /dev/null -w '%{http_code}' -b ann.jar $url/api/items) = 404 ]"
stop TERM

# Everything that ever went to a browser, but for the two answers and the question that names both.
cat traffic.* | tr -d '\000' | sed 's/"answers":\["increase","decrease"\]//g; s/increase or decrease over time//g; s/answer=[a-z]*//g' >hunted
expect "there was traffic" sh -c '[ $(grep -c "^HTTP/1.1 200" hunted) -gt 20 ]'
expect "no label" sh -c '! grep -aiE "increase|decrease" hunted'
expect "no direction, tier or curve" sh -c "! sed -n '/^[{]/p; /^[A-Za-z-]*: /p' hunted | grep -aiE '[^a-z](up|down|low|mid|high|jump|linear|quad)[^a-z]'"
expect "no curve anywhere" sh -c '! grep -aE "quad_|\"linear\"|\"jump\"" hunted'
jq -r '.key, .item_id, .source_id, .speaker_id' study.jsonl | sort -u >names
jq -r .release_id "$release/release.json" >>names
basename "$release" >>names
expect "no id, key, source, speaker or release" sh -c '! grep -aFf names hunted'
expect "nothing by which to know it again" sh -c '! grep -aiE "^(etag|last-modified|content-disposition):" hunted'

# --- the score -----------------------------------------------------------------------------------------------------
jq -c '{key: .key, response: (if .tier == "low" then "no idea" else .label end)}' "$release/manifest.jsonl" >model.jsonl
sed 's/"Ann"/"Bob"/; s/increase/decrease/' answers/answers.jsonl | grep '"Bob"' | head -n 7 >answers/more.jsonl
printf '{"annotator":"An' >>answers/more.jsonl
expect_exit 0 "more.jsonl: warning: its last 16 bytes are no whole answer" "$VOCALGRAD" score "$release" --annotations answers model.jsonl
"$VOCALGRAD" score -q "$release" --annotations answers model.jsonl --json >score.json 2>log
expect "the same counts and the same kappa as Python's" python3 - "$release" <<'PYTHON'
import csv, json, sys
items = {r["key"]: r for r in map(json.loads, open(sys.argv[1] + "/manifest.jsonl"))}
verdicts = {r["key"]: r["verdict"] for r in csv.DictReader(open(sys.argv[1] + "/labels.csv", newline=""))}
nets = {r["key"]: float(r["blind_net"]) for r in csv.DictReader(open(sys.argv[1] + "/labels.csv", newline=""))}
answers = [json.loads(line) for name in ("answers", "more") for line in open(f"answers/{name}.jsonl").read().split("\n")[:-1]]
model = {r["key"]: r["response"] for r in map(json.loads, open("model.jsonl"))}
score = json.load(open("score.json"))
assert score["models"] == ["model"] and score["annotators"] == 3, score
def group(a, field):
    i = items[a["key"]]
    return {"all": "", "annotator": a["annotator"], "category and tier": f'{i["category"]} {i["tier"]}',
            "category and curve": f'{i["category"]} {i["curve"]}'}.get(field) if field not in i else i[field]
paper = {"jump": .9846, "linear": .9373, "quad_first_flat": .9202, "quad_last_flat": .9383}
seen = set()
for row in score["scores"]:
    mine = [a for a in answers if group(a, row["field"]) == row["value"]]
    seen.add(row["field"])
    keys = {a["key"] for a in mine}
    right = sum(a["answer"] == items[a["key"]]["label"] for a in mine)
    assert (row["answers"], row["correct"], row["items"]) == (len(mine), right, len(keys)), row
    assert abs(row["models"][0] - sum(model[k] == items[k]["label"] for k in keys) / len(keys)) < 1e-12, row
    assert abs(row["paired"] - sum(verdicts[k] == "confirmed" for k in keys) / len(keys)) < 1e-12, row
    sign = {"up": 1, "down": -1}
    assert abs(row["blind"] - sum(nets[k] * sign[items[k]["direction"]] > 0 for k in keys) / len(keys)) < 1e-12, row
    assert row["paper_people"] == (paper.get(row["value"]) if row["field"] == "curve" else
                                   sum(paper.values()) / 4 if row["field"] == "all" else None), row
    times = sorted(a["response_ms"] for a in mine)
    assert row["median_response_ms"] == (times[(len(times) - 1) // 2] + times[len(times) // 2]) / 2, row
    # pairs of raters that agree, weighed by raters less one
    counts = {}
    for a in mine:
        counts.setdefault(a["key"], {}).setdefault(a["answer"], []).append(1)
    counts = [[len(v) for v in c.values()] for c in counts.values()]
    counts = [c for c in counts if sum(c) > 1]
    assert row["kappa"]["items_that_count"] == len(counts), row
    if counts:
        observed = sum(sum(n * (n - 1) for n in c) / sum(c) for c in counts) / sum(sum(c) - 1 for c in counts)
        assert abs(row["kappa"]["observed"] - observed) < 1e-12, row
assert {"all", "category", "tier", "curve", "direction", "annotator", "category and tier"} <= seen
everyone = score["scores"][0]
assert everyone["kappa"]["raters_max"] == 2 and everyone["kappa"]["value"] is not None
PYTHON
expect "CSV has the same" sh -c "\"$VOCALGRAD\" score -q $release --annotations answers model.jsonl --csv | python3 -c '
import csv, json, sys
rows = list(csv.DictReader(sys.stdin)); score = json.load(open(\"score.json\"))[\"scores\"]
assert len(rows) == len(score)
for r, s in zip(rows, score):
    assert r[\"field\"] == s[\"field\"] and int(r[\"answered_items\"]) == s[\"items\"] and float(r[\"model\"]) == s[\"models\"][0]
    assert (float(r[\"kappa\"]) if r[\"kappa\"] else None) == s[\"kappa\"][\"value\"]'"
expect_exit 0 "per cent right, side by side  *items  *raters  *kappa  *people  *paper's  *P  *B  *model " \
    "$VOCALGRAD" score "$release" --annotations answers model.jsonl
expect_exit 2 "0 files of predictions given; expected one, or --annotations DIR" "$VOCALGRAD" score "$release"
mkdir -p empty
expect_exit 4 "empty: error: has no answer in 0 files" "$VOCALGRAD" score "$release" --annotations empty
expect_exit 5 "nowhere" "$VOCALGRAD" score "$release" --annotations nowhere
cp answers/answers.jsonl answers/copy.jsonl
expect_exit 4 "copy.jsonl:1: error: .* answers .* again; answers/answers.jsonl:1 did so already" "$VOCALGRAD" score "$release" --annotations answers
rm answers/copy.jsonl
for change in 's/"key":"volume-/"key":"volume-x/' 's/"release_id":"..../"release_id":"0000/' 's/increase/rise/'; do
    mkdir -p changed
    sed "$change" answers/answers.jsonl >changed/a.jsonl
    expect_exit 4 "changed/a.jsonl:[0-9]*: error: \(is about\|answers\) " "$VOCALGRAD" score "$release" --annotations changed
done

finish
