#!/bin/sh
# SPDX-License-Identifier: MIT
# `vocalgrad serve` on a real release: sound comes out of the shards byte for byte, and what must not be answered is
# refused and logged; the server lives through all of it.
. "$(dirname -- "$0")/../command/lib.sh"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
servers=
trap 'kill $servers 2>/dev/null; rm -rf "$work"' EXIT

release=$("$VOCALGRAD" build -q "$VG_TOP/tests/command/small.yaml" --only split=beep -o out) || exit 1

# start NAME ARGUMENT...: a server; its process in $server, its address in $url, its port in $port, its log NAME.log.
start() {
    name=$1
    shift
    : >"$name.url"
    "$VOCALGRAD" serve "$release" "$@" >"$name.url" 2>"$name.log" &
    server=$!
    servers="$servers $server"
    tries=0
    while [ ! -s "$name.url" ] && [ $tries -lt 100 ] && kill -0 "$server" 2>/dev/null; do
        sleep 0.1
        tries=$((tries + 1))
    done
    url=$(cat "$name.url")
    port=${url##*:}
    port=${port%/}
}
# answers STATUS CURL-ARGUMENT...: curl gets this status.
answers() {
    wanted=$1
    shift
    found=$(curl -s -o body -w '%{http_code}' --path-as-is "$@")
    [ "$found" = "$wanted" ] || { echo "$found, expected $wanted: $*" && cat body && return 1; }
}
# logged PATTERN: the log of the server under attack has it.
logged() { grep -q -- "$1" main.log; }

start main --port 0
expect "the address is the one line on stdout" test "$(grep -c "" main.url)" -eq 1
expect "it is an address" grep -q "^http://127.0.0.1:[0-9]*/$" main.url
expect "the first page" answers 200 "$url"
python3 "$here/attack.py" "$port" slow >slow.found & # takes as long as the server waits
slow=$!

# ---- sound ----------------------------------------------------------------------------------------------------

python3 - "$release" >places <<'PYTHON'
import json, os, sys, tarfile
folder = sys.argv[1]
places = {}
for name in os.listdir(folder):
    if name.endswith(".tar.flac"):
        with tarfile.open(os.path.join(folder, name)) as tar:
            for member in tar:
                places[member.name] = (name, member.offset_data, member.size)
for line in open(os.path.join(folder, "manifest.jsonl")):
    item = json.loads(line)
    print(item["key"], item["flac_xxh128"], *places[item["key"] + ".flac"])
PYTHON
whole() {
    while read -r key digest _ _ bytes; do
        curl -s -D head -o got.flac "${url}flac/$key.flac" || return 1
        [ "$(xxhsum -H2 <got.flac | cut -d' ' -f1)" = "$digest" ] || { echo "$key differs" && return 1; }
        grep -qi "^content-type: audio/flac" head && grep -qi "^accept-ranges: bytes" head || return 1
        grep -qi "^content-length: $bytes" head || return 1
    done <places
}
expect "every FLAC file has the digest of the manifest" whole
parts() {
    while read -r key _ shard offset bytes; do
        for part in 0-0 0-99 "7-$((bytes - 1))" "$((bytes - 5))-" -11 "100-$((bytes + 100))"; do
            first=${part%-*}
            last=${part#*-}
            [ -n "$first" ] || { first=$((bytes - last)) && last=; }
            [ -n "$last" ] && [ "$last" -lt "$bytes" ] || last=$((bytes - 1))
            dd if="$release/$shard" iflag=skip_bytes,count_bytes skip=$((offset + first)) count=$((last - first + 1)) \
                bs=64k 2>/dev/null >wanted
            found=$(curl -s -o got -w '%{http_code}' -D head -r "$part" "${url}flac/$key.flac")
            if [ "$found" != 206 ] || ! cmp wanted got; then
                echo "$key $part: $found"
                return 1
            fi
            grep -q "^Content-Range: bytes $first-$last/$bytes" head || return 1
        done
    done <few
}
sed -n '1p;17p;$p' places >few
expect "ranges are the shard's own bytes" parts
key=$(sed -n '1s/ .*//p' places)
size=$(sed -n '1s/.* //p' places)
expect "behind the end" answers 416 -r "$size-" "${url}flac/$key.flac"
expect "a known sound is not sent again" answers 304 -H "If-None-Match: $(curl -sI "${url}flac/$key.flac" | sed -n 's/^ETag: \([^\r]*\).*/\1/p')" "${url}flac/$key.flac"
expect "HEAD has no body" sh -c "curl -sI ${url}flac/$key.flac | grep -q '^Content-Length: $size'"
expect "the source out of numbers" sh -c "curl -s ${url}source/$key.flac | head -c 4 | grep -q fLaC"
expect "the list" sh -c "curl -s '${url}api/items?category=volume&count=300' | grep -q '\"total\":48,'"
expect "the item" sh -c "curl -s '${url}api/item/$key' | python3 -c 'import json, sys; assert json.load(sys.stdin)[\"record\"][\"key\"] == \"$key\"'"
expect "the drawing" answers 200 "${url}api/shape/$key"

# ---- paths ----------------------------------------------------------------------------------------------------

for path in ../etc/passwd ..%2f..%2fetc%2fpasswd %2e%2e/etc/passwd assets/../../etc/passwd assets/..%2f..%2fetc%2fpasswd \
    assets//etc/passwd "flac/..%2frelease.json" flac/%2fetc%2fpasswd "flac/$key.flac%00.html" "flac/$key" release.json manifest.jsonl \
    api/item/..%2f..%2fetc api/shape/%2e%2e source/%5c..%5cetc "item/%0d%0aX:1" .git/config "assets/..;/x" "flac/....//x.flac"; do
    expect "refused: $path" sh -c "curl -s -o body -w '%{http_code}' --path-as-is '$url$path' | grep -qx '40[04]' && ! grep -q root: body"
done
expect "traversal is logged" logged "refused 127.0.0.1 GET /../etc/passwd 400: the path is malformed"
expect "unknown paths are logged" logged "GET /manifest.jsonl 404: no such page"

# ---- sizes ----------------------------------------------------------------------------------------------------

long() { head -c "$1" /dev/zero | tr '\0' a; }
expect "an over-long address" answers 414 "$url$(long 4000)"
expect "an address beyond all measure" sh -c "curl -s -o /dev/null -w '%{http_code}' '$url$(long 60000)' | grep -qxE '414|431|000'"
expect "over-long headers" answers 431 -H "X-Long: $(long 9000)" "$url"
expect "headers beyond all measure" answers 431 -H "X-Long: $(long 60000)" "$url"
many=$(i=0 && while [ $i -lt 80 ]; do echo "-H X-$i:1" && i=$((i + 1)); done)
# shellcheck disable=SC2086
expect "too many headers" answers 431 $many "$url"
long 20000 >upload
expect "too large a body" answers 413 -H Expect: --data-binary @upload "${url}login"
expect "a body without its length" answers 411 -H "Transfer-Encoding: chunked" --data-binary @upload "${url}login"
expect "a body where none belongs" answers 400 -X GET --data-binary x "$url"
expect "too many query fields" answers 400 "$url?$(i=0 && while [ $i -lt 40 ]; do printf 'k%d=1&' $i && i=$((i + 1)); done)end=1"
expect "too large a page" answers 400 "${url}api/items?count=100000"
for words in "the address is too long" "the headers are too long" "too many headers" "the body is too large" "a body without its length"; do
    expect "logged: $words" logged "$words"
done

# ---- who asks -------------------------------------------------------------------------------------------------

for method in PUT DELETE OPTIONS TRACE PATCH CONNECTED; do
    expect "method $method" answers 405 -X "$method" "$url"
done
expect "POST where only GET belongs" answers 405 -d x=1 "$url"
expect "methods are logged" logged "PUT / 405: no such method here"
expect "a rebound name" answers 421 -H "Host: evil.example" "$url"
expect "a rebound name with the port" answers 421 -H "Host: evil.example:$port" "$url"
expect "no name" sh -c "python3 '$here/attack.py' $port raw 'GET / HTTP/1.0\\r\\n\\r\\n' | grep -q ' 421 '"
expect "two names" sh -c "python3 '$here/attack.py' $port raw 'GET / HTTP/1.1\\r\\nHost: 127.0.0.1:$port\\r\\nHost: 127.0.0.1:$port\\r\\n\\r\\n' | grep -q ' 400 '"
expect "a blank in a header's name" sh -c "python3 '$here/attack.py' $port raw 'GET / HTTP/1.1\\r\\nHost: 127.0.0.1:$port\\r\\nCookie : a=b\\r\\n\\r\\n' | grep -q ' 400 '"
expect "two lengths" sh -c "python3 '$here/attack.py' $port raw 'POST /login HTTP/1.1\\r\\nHost: 127.0.0.1:$port\\r\\nContent-Length: 5\\r\\nContent-Length: 6\\r\\n\\r\\nabcdef' | grep -q ' 400 '"
expect "another name in the request line" sh -c "python3 '$here/attack.py' $port raw 'GET http://evil/ HTTP/1.1\\r\\nHost: 127.0.0.1:$port\\r\\n\\r\\n' | grep -q ' 400 '"
expect "localhost is a name of it" answers 200 "http://localhost:$port/"
expect "rebinding is logged" logged "the Host header names another server"
expect "a foreign page" answers 403 -H "Origin: http://evil.example" "$url"
expect "pages may load nothing foreign" sh -c "curl -sI $url | grep -q \"^Content-Security-Policy: default-src 'none'; script-src 'self'\""

# ---- crowds ---------------------------------------------------------------------------------------------------

expect "garbage" sh -c "python3 '$here/attack.py' $port garbage 1 | grep -qx done"
expect "clients that do not listen" sh -c "python3 '$here/attack.py' $port deaf /flac/$key.flac | grep -q ' 200 '"
wait "$slow"
expect "a slow client" grep -qx "hung up" slow.found
expect "a slow client is logged" logged "too slow: no whole request in time"
expect "200 connections" sh -c "python3 '$here/attack.py' $port crowd 200 | tee crowd | grep -qE '^1[0-9][0-9] refused, [0-9]+ kept, HTTP/1.1 200'"
expect "too many are logged" logged "too many connections of this client"
expect "a flood" sh -c "python3 '$here/attack.py' $port flood /assets/icon.svg | tee flood | grep -qx '200 429 Retry-After'"
expect "a flood is logged" logged "refused 127.0.0.1 GET /assets/icon.svg 429: too many requests a second"
expect "but does not flood the log" test "$(grep -c "429: too many requests" main.log)" -lt 500
expect "no page is kept from others for long" curl -s -f --retry 20 --retry-delay 1 -o body "$url"
expect "alive after all of it" answers 200 "$url"
kill -INT "$server"
wait "$server"
expect "Ctrl-C ends it with 0" test $? -eq 0

# ---- token ----------------------------------------------------------------------------------------------------

echo correct-horse-battery >token
chmod 600 token
start token --port 0 --token token --host audio.example -v
expect "no token" answers 401 "${url}api/release"
expect "wrong token" answers 401 -H "Authorization: Bearer correct-horse-batterx" "${url}api/release"
expect "the token" answers 200 -H "Authorization: Bearer correct-horse-battery" "${url}api/release"
expect "a browser is sent to the login" answers 303 -H "Accept: text/html" "$url"
expect "the login page" answers 200 "${url}login"
expect "a wrong login" answers 403 -d token=correct-horse-batterx "${url}login"
expect "a login" answers 303 -c jar -d token=correct-horse-battery "${url}login"
expect "the cookie opens" answers 200 -b jar "${url}api/release"
expect "-v tells what was answered" grep -qx "answered 127.0.0.1 GET /api/release 200" token.log
expect "and only -v" sh -c '! grep -q ^answered main.log'
expect "--host is answered to, in any case" answers 401 -H "Host: Audio.Example" "${url}api/release"
expect "and no other" answers 421 -H "Host: audio.example.org" "${url}api/release"
expect "the cookie does not hold the token" sh -c "! grep -q correct-horse jar"
expect "a foreign form" answers 403 -H "Origin: http://evil.example" -d token=correct-horse-battery "${url}login"
guess() {
    i=0
    while [ $i -lt 100 ] && answers 403 -d "token=wrong-token-number-$i" "${url}login" >/dev/null; do i=$((i + 1)); done
    answers 429 -d token=correct-horse-battery "${url}login"
}
expect "guessing is slowed down" guess
expect "a session is not" answers 200 -b jar "${url}api/release"
expect "no token in the log" sh -c "! grep -E 'horse|wrong-token-number' token.log"
expect "wrong tokens are logged" grep -q "POST /login 403: wrong token" token.log
expect "a token in the address is no token, and not logged" sh -c "curl -s '${url}api/release?token=correct-horse-battery' | grep -q error && ! grep -q horse token.log"

# ---- starting -------------------------------------------------------------------------------------------------

expect_exit 5 "cannot listen there.*Address already in use" "$VOCALGRAD" serve "$release" --port "$port"
expect_exit 2 "give --token FILE as well" "$VOCALGRAD" serve "$release" --bind 0.0.0.0 --port 0
expect_exit 2 "is no numeric address" "$VOCALGRAD" serve "$release" --bind example.org --token token --port 0
expect_exit 2 "expected a whole number" "$VOCALGRAD" serve "$release" --port 70000
for host in http://audio.example audio.example/ "audio example" ""; do
    expect_exit 2 "is no name as the Host header has it" "$VOCALGRAD" serve "$release" --host "$host" --port 0
done
expect_exit 2 "--split: error: chooses what annotators hear: give --annotate" "$VOCALGRAD" serve "$release" --split beep --port 0
expect_exit 2 "--items: error: counts what annotators hear: give --annotate" "$VOCALGRAD" serve "$release" --items 5 --port 0
chmod 644 token
expect_exit 2 "can be read by others" "$VOCALGRAD" serve "$release" --token token --port 0
expect_exit 5 "release.json" "$VOCALGRAD" serve nowhere --port 0
finish
