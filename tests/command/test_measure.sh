#!/bin/sh
# SPDX-License-Identifier: MIT
# measure: any recording alone, or beside its source, as JSON lines.
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/small.yaml

"$VOCALGRAD" render -q "$spec" --source alsa_01 -o source.wav || exit 1
for direction in up down; do
    "$VOCALGRAD" render -q "$spec" "volume__alsa_01__front_center__linear__high__$direction" -o "$direction.flac" || exit 1
    "$VOCALGRAD" measure --source source.wav "$direction.flac" >"$direction.jsonl" 2>words
    expect "nothing to say" test ! -s words
done
expect "nine lines each, paired and blind, the volume's sign true, an unchanged file without change" python3 - <<'EOP'
import json
for direction, sign in (("up", 1), ("down", -1)):
    lines = [json.loads(line) for line in open(direction + ".jsonl")]
    assert len(lines) == 9, len(lines)
    for line in lines:
        assert line["file"] == direction + ".flac" and {"unit", "net", "trajectory"} <= set(line["blind"])
    volume = next(line for line in lines if line["attribute"] == "volume")
    assert volume["paired"]["sign"] == sign and volume["paired"]["unit"] == "dB", volume
    assert abs(volume["paired"]["net"]) > 12, volume["paired"]["net"]
EOP
"$VOCALGRAD" measure --source source.wav source.wav >same.jsonl
expect "a file beside itself has not changed" python3 -c '
import json
for line in open("same.jsonl"):
    paired = json.loads(line)["paired"]
    assert paired["net"] == 0 and paired["sign"] in (0, 2), paired'
expect_exit 0 '"attribute":"voice_pitch","blind"' "$VOCALGRAD" measure --attribute "voice pitch" --onset 0.1 --offset 1.2 source.wav
expect_exit 2 "did you mean voice_pitch" "$VOCALGRAD" measure --attribute voice_pich source.wav
expect_exit 2 "the offset after the onset" "$VOCALGRAD" measure --onset 1 --offset 0.5 source.wav
expect_exit 4 "nowhere.wav" "$VOCALGRAD" measure nowhere.wav
echo "<html>" >page.mp3
expect_exit 4 "page.mp3" "$VOCALGRAD" measure page.mp3
expect "a bad file does not hide a good one" sh -c "'$VOCALGRAD' measure --attribute volume page.mp3 source.wav | grep -q source.wav"

finish
