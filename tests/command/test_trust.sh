#!/bin/sh
# SPDX-License-Identifier: MIT
# What a release's reader can hold it against: its own lists, a key, a list kept elsewhere, another build.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/small.yaml
name=vocalgrad-small-0.1.0
tamper=$VG_TOP/tests/command/tamper.py

minisign -GW -p mine.pub -s mine.key >log 2>&1
minisign -GW -p other.pub -s other.key >log 2>&1
ssh-keygen -q -t ed25519 -N "" -C me -f mine.ssh
ssh-keygen -q -t ed25519 -N "" -C them -f other.ssh
echo "me@example.org namespaces=\"file\" $(cut -d' ' -f1,2 mine.ssh.pub)" >signers

expect "build, signed by minisign" "$VOCALGRAD" build -q "$spec" -o minisign --sign mine.key
expect "build, signed by SSH" "$VOCALGRAD" build -q "$spec" -o ssh --sign mine.ssh
expect "build, with its provenance alone" "$VOCALGRAD" build -q "$spec" -o plain --provenance
release=minisign/$name

# --- signatures, by ourselves and by the tools themselves -----------------------------------------------------
expect "minisign's signature" "$VOCALGRAD" verify "$release" --pubkey mine.pub
expect "minisign agrees" minisign -Vq -p mine.pub -m "$release/SHA256SUMS"
expect "on the provenance too" minisign -Vq -p mine.pub -m "$release/provenance.intoto.jsonl"
expect "no time in the trusted comment" sh -c "sed -n 3p $release/SHA256SUMS.minisig | grep -q '^trusted comment: vocalgrad-small 0.1.0 release id [0-9a-f]*$'"
expect "SSH's signature" "$VOCALGRAD" verify "ssh/$name" --pubkey mine.ssh.pub
expect "SSH's allowed signers" "$VOCALGRAD" verify "ssh/$name" --pubkey signers
expect "ssh-keygen agrees" sh -c "ssh-keygen -Y verify -f signers -I me@example.org -n file -s ssh/$name/SHA256SUMS.sig <ssh/$name/SHA256SUMS"
expect_exit 1 "SHA256SUMS.minisig: error: was made with another key than the one in other.pub" "$VOCALGRAD" verify "$release" --pubkey other.pub
expect_exit 1 "SHA256SUMS.sig: error: was made with another key than the one in other.ssh.pub" "$VOCALGRAD" verify "ssh/$name" --pubkey other.ssh.pub
expect_exit 1 "SHA256SUMS.sig: error: is missing" "$VOCALGRAD" verify "$release" --pubkey mine.ssh.pub
expect_exit 1 "SHA256SUMS.minisig: error: is missing" "$VOCALGRAD" verify "plain/$name" --pubkey mine.pub
expect_exit 2 "neither a key of minisign nor one of SSH" "$VOCALGRAD" verify "$release" --pubkey "$spec"
expect_exit 5 "nokey" "$VOCALGRAD" verify "$release" --pubkey nokey
expect_exit 5 "nokey" "$VOCALGRAD" build -q "$spec" -o unsigned --sign nokey
expect "the same bytes with and without" diff -r -x '*.minisig' -x provenance.intoto.jsonl "$release" "plain/$name"

# --- provenance ------------------------------------------------------------------------------------------------
statement=plain/$name/provenance.intoto.jsonl
expect "one line of JSON" test "$(wc -l <"$statement")" -eq 1
expect "a statement of in-toto with SLSA's predicate" jq -e '
    ._type == "https://in-toto.io/Statement/v1" and .predicateType == "https://slsa.dev/provenance/v1"
    and (.predicate.buildDefinition | .buildType and .externalParameters.spec.digest.xxh128 and
         (.externalParameters.options | type == "array") and (.resolvedDependencies | length) == 3)
    and (.predicate.runDetails.builder | .id and .version.vocalgrad)' "$statement"
expect "its subjects' digests are true" sh -c "jq -r '.subject[] | .digest.sha256 + \"  \" + .name' $statement >subjects && cd plain/$name && sha256sum -c --strict ../../subjects"
expect "and cover the release" test "$(wc -l <subjects)" -eq "$(($(wc -l <"plain/$name/SHA256SUMS")))"
expect "the program's digest" test "$(jq -r '.predicate.runDetails.builder.builderDependencies[0].digest.sha256' "$statement")" = "$(sha256sum "$VOCALGRAD" | cut -d' ' -f1)"
expect "no clock" sh -c "! grep -qE 'startedOn|finishedOn|20[0-9][0-9]-[0-9][0-9]-' $statement"

# --- tampering: each is named, with stale lists, and with lists that follow but a key that does not ------------------
# tampered WHAT NAMED: `verify` must exit with 1 and name it.
tampered() {
    rm -rf copy && cp -r "$release" copy && python3 "$tamper" copy "$1"
    expect_exit 1 "$2" "$VOCALGRAD" verify copy
    if [ "$1" != stale ] && [ "$1" != list ]; then
        rm -rf copy && cp -r "$release" copy && python3 "$tamper" copy "$1" reseal
        expect_exit 1 "$3" "$VOCALGRAD" verify copy
        expect_exit 1 "SHA256SUMS: error: is not what was signed" "$VOCALGRAD" verify copy --pubkey mine.pub --level ""
    fi
}
tampered byte "beep-00000-of-00003.tar.flac: error: is altered" "item [a-z_]*__beep_01"
tampered labels "manifest.jsonl: error: is altered" "metadata.csv: error: the row of item"
tampered removed "manifest.jsonl: error: is altered" "release.json: error: says release id"
tampered added "beep-00000-of-00003.tar.flac: error: is altered" "volume-0000000000000000"
tampered renamed "label.csv: error: is in no list of this release: an extra file" "labels.csv"
tampered truncated "beep-00000-of-00003.tar.flac: error: is altered" "beep-00000-of-00003.tar.flac: error"
tampered spec "spec.yaml: error: is altered" "release.json: error: says release id"
tampered stale "CHECKSUMS: error"
tampered list "SHA256SUMS: error"
rm -rf copy && cp -r "$release" copy && python3 "$tamper" copy list
expect_exit 1 "SHA256SUMS: error: is not what was signed" "$VOCALGRAD" verify copy --pubkey mine.pub
rm -rf copy && cp -r "$release" copy && sed -i 's/"vocalgrad":"/"vocalgrad":"9/' copy/provenance.intoto.jsonl
expect_exit 1 "provenance.intoto.jsonl: error: is not what was signed" "$VOCALGRAD" verify copy --pubkey mine.pub
rm -rf copy && cp -r "$release" copy && echo " " >>copy/README.md && python3 "$tamper" copy reseal
expect_exit 1 "provenance.intoto.jsonl: error: states another digest for README.md" "$VOCALGRAD" verify copy
rm -rf copy && cp -r "$release" copy && python3 "$tamper" copy reseal
expect "resealing alone changes nothing" "$VOCALGRAD" verify copy --pubkey mine.pub

# --- another encoder: other FLAC bytes of the same samples are told as what they are --------------------------------------
rm -rf copy && cp -r "$release" copy && python3 "$tamper" copy encoder reseal
items=$(tar -tf "copy/$name-beep-00000-of-00003.tar.flac" | grep -c 'flac$')
expect_exit 1 "member volume-[0-9a-f]*.flac has other bytes than the manifest says and the same samples: another encoder" \
    "$VOCALGRAD" verify copy
expect "every one of them is" test "$(grep -c "and the same samples: another encoder" expect.log)" -eq "$items"
expect_exit 1 ".flac has other bytes than the manifest says$" "$VOCALGRAD" verify copy --level bytes
expect_exit 0 "copy: warning: $items of 168 FLAC files have other bytes .* and the same samples: another encoder" \
    "$VOCALGRAD" verify copy --level audio
expect_exit 0 "168 items are what they say" "$VOCALGRAD" verify "$release" --level audio
expect "and nothing is said where none is" sh -c '! grep -q encoder expect.log'
"$VOCALGRAD" build -q "$spec" -o compact --set pack.flac_profile=compact >log 2>&1
expect_exit 1 "warning: has the same samples as compact/.* in all 168 items; [0-9]* FLAC files have other bytes, of another encoder (libFLAC [0-9.]* here, libFLAC [0-9.]* there)" \
    "$VOCALGRAD" verify "$release" --level "" --against compact/*

# --- against a list, and another release ------------------------------------------------------------------------------
(find "minisign/$name" -type f ! -name '*.minisig' ! -name provenance.intoto.jsonl | LC_ALL=C sort | xargs xxhsum -H2) >CHECKSUMS 2>log
echo "00000000000000000000000000000000  out/something-else-1.0.0/README.md" >>CHECKSUMS
expect "against a repository's list" "$VOCALGRAD" verify "ssh/$name" --against CHECKSUMS
expect "against its own list" "$VOCALGRAD" verify "$release" --against "ssh/$name/SHA256SUMS"
expect "from within" sh -c "cd '$release' && '$VOCALGRAD' verify . --against ../../CHECKSUMS"
expect "against another build" "$VOCALGRAD" verify "$release" --against "ssh/$name"
rm -rf "$name" && cp -r "$release" "$name" && python3 "$tamper" "$name" labels reseal
expect_exit 1 "manifest.jsonl: error: has the digest" "$VOCALGRAD" verify "$name" --against CHECKSUMS --level ""
expect_exit 1 "manifest.jsonl: error: has the digest" "$VOCALGRAD" verify "$name" --against "$release" --level ""
rm -rf "$name" && cp -r "$release" "$name" && python3 "$tamper" "$name" renamed
expect_exit 1 "labels.csv: error: is missing; CHECKSUMS lists it" "$VOCALGRAD" verify "$name" --against CHECKSUMS --level ""
expect_exit 1 "label.csv: error: is not in CHECKSUMS: an extra file" "$VOCALGRAD" verify "$name" --against CHECKSUMS --level ""
mv "$name" nameless
expect_exit 1 "CHECKSUMS: error: lists no file of nameless" "$VOCALGRAD" verify nameless --against CHECKSUMS --level ""

# --- for machines -----------------------------------------------------------------------------------------------------
"$VOCALGRAD" verify -q "$release" --pubkey mine.pub --against CHECKSUMS --json --junit good.xml >good.json 2>log
expect "passed, in JSON" jq -e '.passed and .items == 168 and ([.checks[] | .name] == ["signature", "bytes,audio", "against"])
    and all(.checks[]; .passed and .faults == [])' good.json
expect "JUnit is XML" xmllint --noout good.xml
expect "that says passed" sh -c 'test "$(xmllint --xpath "concat(/testsuites/@tests, /testsuites/@failures, /testsuites/@errors, count(//testcase), count(//failure))" good.xml)" = 30030'
rm -rf copy && cp -r "$release" copy && python3 "$tamper" copy byte
"$VOCALGRAD" verify -q copy --json --junit bad.xml >bad.json 2>log
expect "failed, in JSON, with file and item" jq -e '.passed == false and (.checks[0].faults | length) > 1
    and any(.checks[0].faults[]; .place | endswith("beep-00000-of-00003.tar.flac"))
    and any(.checks[0].faults[]; .sentence | test("__beep_01__"))' bad.json
expect "and in JUnit" sh -c 'xmllint --xpath "string(//failure)" bad.xml | grep -q "beep-00000-of-00003.tar.flac: "'
expect_exit 5 "junit.xml" "$VOCALGRAD" verify "$release" --level "" --junit /nowhere/junit.xml

# --- shortcuts ------------------------------------------------------------------------------------------------------------
expect_exit 0 "^| volume | 0.500 (0.500 0.500) |" "$VOCALGRAD" verify "$release" --level shortcuts
expect_exit 0 "background_noise: silence before tells the label (AUC 1.000)" "$VOCALGRAD" verify "$release" --level shortcuts
"$VOCALGRAD" verify -q "$release" --level shortcuts >table 2>log
expect "the card has the same table" sh -c "sed -n '/^## Shortcuts/,/^## Files/p' $release/README.md | grep '^|' | cmp - table"
"$VOCALGRAD" build -q "$spec" -o named --set pack.keys=paper >log 2>&1
expect_exit 1 "volume: the words in the name tells the label (AUC 1.000" "$VOCALGRAD" verify named/* --level shortcuts
expect_exit 2 "expected bytes, audio, labels, shortcuts" "$VOCALGRAD" verify "$release" --level sound

finish
