#!/bin/sh
# SPDX-License-Identifier: MIT
# Source packs: the same bytes at every run; a release built from one is that of its corpus, byte for byte; one
# that is altered or belongs to another spec is refused.  And pins: a recording that decodes otherwise stops.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/specs/demo.yaml
name=vocalgrad-demo-1.0.0

# --- the same release -----------------------------------------------------------------------------------
expect "pack" "$VOCALGRAD" pack-sources "$spec" -o pack.tar.flac -j1
"$VOCALGRAD" pack-sources -q "$spec" -o again.tar.flac -j8 >sums
expect "the same pack from 8 jobs" cmp pack.tar.flac again.tar.flac
expect "its line for sha256sum" sha256sum -c --strict sums
mkdir members && tar -xf pack.tar.flac -C members
expect "flac -t on every member" sh -c 'flac -ts members/*.flac'
expect "build from the corpus" "$VOCALGRAD" build -q "$spec" -o corpus
expect "build from the pack" "$VOCALGRAD" build -q "$spec" --set source_pack=pack.tar.flac -o packed
expect "the same release" diff -r "corpus/$name" "packed/$name"
cp "corpus/$name/spec.yaml" resolved.yaml # its paths lead nowhere from here
expect "build from spec.yaml and the pack alone" \
    "$VOCALGRAD" build -q resolved.yaml --set source_pack=pack.tar.flac -o alone
expect "the same release again" diff -r "corpus/$name" "alone/$name"
expect "verify --rebuild from the pack" \
    "$VOCALGRAD" verify "corpus/$name" --rebuild 5 --spec resolved.yaml --set source_pack=pack.tar.flac

# --- what is skipped stays skipped ----------------------------------------------------------------------
cp -r "$VG_TOP/specs" specs
echo "alsa_05,gone,alsa,005,gone.wav,gone" >>specs/selection/alsa.csv
only="--only source=alsa_01,alsa_05 --only tier=high --only curve=jump --only category=volume --only split=speech"
# shellcheck disable=SC2086
skip() { "$VOCALGRAD" "$@" specs/demo.yaml --set on_bad_source=skip $only; }
expect_exit 4 "gone.wav" "$VOCALGRAD" pack-sources specs/demo.yaml -o none.tar.flac
expect "no pack where a source is bad" test ! -e none.tar.flac
expect "pack without a bad source" skip pack-sources -o skipped.tar.flac
expect "build without it" skip build -q -o corpus
expect "build from the pack without it" skip build -q --set source_pack=skipped.tar.flac -o packed
expect "its row is in sources.csv" grep -q '^alsa_05,.*cannot open' packed/*local*/sources.csv
expect "the same release" diff -r corpus packed

# --- what is refused ------------------------------------------------------------------------------------
build() { "$VOCALGRAD" build -q "$spec" -o refused --set "source_pack=$1"; }
expect_exit 4 "no such source pack" build none.tar.flac
head -c 100000 pack.tar.flac >half.tar.flac
expect_exit 4 "half.tar.flac: error: not a readable tar file" build half.tar.flac
python3 - <<'PYTHON'
data = bytearray(open("pack.tar.flac", "rb").read())
data[30000] ^= 1
open("flipped.tar.flac", "wb").write(data)
PYTHON
expect_exit 4 "source-000001.json: error: the FLAC file" build flipped.tar.flac
sed 's/"decoder":/"decodes":/' pack.tar.flac >renamed.tar.flac
expect_exit 4 "is no description of a packed source" build renamed.tar.flac
expect_exit 4 "is no description of a packed source" build "$(echo corpus/$name/*-speech-*.tar.flac)"
expect_exit 4 "holds no source of entry 0" "$VOCALGRAD" build "$VG_TOP/specs/beep.yaml" --set source_pack=pack.tar.flac
expect_exit 4 "packed for another spec: entry 0 of split beep" "$VOCALGRAD" build "$spec" \
    --set source_pack=pack.tar.flac --set splits.beep.sources.0.amplitude=0.5

# --- a pack as a source of its own ----------------------------------------------------------------------
cat >own.yaml <<'YAML'
extends: embedded:paper.yaml
name: own
version: 1.0.0
description: Sources out of a pack.
license: GPL-2.0-or-later
splits:
  test:
    categories: [volume]
    sources:
      - {kind: pack, pack: pack.tar.flac, split: speech}
on_label: flag
YAML
expect "build" "$VOCALGRAD" build -q own.yaml -o own
for column in 1 6 11 12 17 18 21; do # id, text, digests, span, decoder
    expect "column $column of sources.csv" test "$(cut -d, -f$column own/own-1.0.0/sources.csv)" = \
        "$(grep -v ^beep corpus/$name/sources.csv | cut -d, -f$column)"
done
expect_exit 4 "holds no source of split none" "$VOCALGRAD" plan own.yaml --set splits.test.sources.0.split=none
sum=$(xxhsum -H2 pack.tar.flac | cut -d' ' -f1)
expect "a pack with its digest" "$VOCALGRAD" plan -q own.yaml --set "splits.test.sources.0.xxh128=$sum"
expect_exit 4 "it is another pack" "$VOCALGRAD" plan -q own.yaml \
    --set splits.test.sources.0.xxh128=00000000000000000000000000000000

# --- pins -----------------------------------------------------------------------------------------------
cat >pinned.csv <<'CSV'
item_id,clip_id,audio_path,file_xxh128,audio_xxh128,onset_sec,offset_sec
one,chirp,chirp.mp3,@FILE@,0123456789abcdef0123456789abcdef,0,0.4
CSV
sed -i "s/@FILE@/$(xxhsum -H2 "$VG_TOP/tests/source/chirp.mp3" | cut -d' ' -f1)/" pinned.csv
sed 's/{kind: pack.*/{kind: table, table: pinned.csv}/; s/name: own/name: pinned/' own.yaml >pinned.yaml
expect_exit 4 "pinned.csv:2: error: .*chirp.mp3: lib.* gives other samples than those pinned .*the file is the same" \
    "$VOCALGRAD" build pinned.yaml --set "root=$VG_TOP/tests/source" -o out

finish
