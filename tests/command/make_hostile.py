# SPDX-License-Identifier: MIT
"""Specs, tables and recordings that mean harm, into the current folder.  argv[1]: the folder of the shipped specs."""
import os, struct, sys

def put(name, data):
    with open(name, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())

# YAML: aliases that unfold to 10^9 values, depth, files that extend themselves or a device, control characters
lines, last = ["a: &a [x,x,x,x,x,x,x,x,x,x]"], "a"
for name in "bcdefghij":
    lines.append(f"{name}: &{name} [{','.join(['*' + last] * 10)}]")
    last = name
put("laughs.yaml", "\n".join(lines) + "\n")
put("deep.yaml", "a: " + "[" * 200000 + "]" * 200000 + "\n")
put("long.yaml", "a: " + "x" * (2 << 20) + "\n")
put("ping.yaml", "extends: pong.yaml\n")
put("pong.yaml", "extends: ping.yaml\n")
put("device.yaml", "extends: /dev/zero\n")
put("control.yaml", b"name: a\0b\n")

# Recordings: headers that claim more than there is or can be
def wav(frames, claim, rate_hz=16000, channels=1):
    return (b"RIFF" + struct.pack("<I", (claim + 36) & 0xFFFFFFFF) + b"WAVEfmt "
            + struct.pack("<IHHIIHH", 16, 1, channels, rate_hz, rate_hz * 2 * channels & 0xFFFFFFFF,
                          2 * channels & 0xFFFF, 16)
            + b"data" + struct.pack("<I", claim) + b"\0\1" * frames)

os.makedirs("corpus")
put("outside.wav", wav(16000, 32000))
put("corpus/claim.wav", wav(100, 0xFFFFFF00))
put("corpus/channels.wav", wav(100, 200, 16000, 32767))
put("corpus/rate.wav", wav(100, 200, 0xFFFFFFFF))
put("corpus/norate.wav", wav(100, 200, 0))
put("corpus/claim.flac", b"fLaC\x80\0\0\x22" + struct.pack(">HH", 4096, 4096) + bytes(6)
    + ((16000 << 44) | (15 << 36) | (2**36 - 1)).to_bytes(8, "big") + bytes(16))
os.mkfifo("corpus/pipe.wav")
os.symlink("/dev/zero", "corpus/zero.wav")
os.symlink("loop.wav", "corpus/loop.wav")

recordings = {"claim": "claim.wav", "channels": "channels.wav", "rate": "rate.wav", "norate": "norate.wav",
              "flac": "claim.flac", "pipe": "pipe.wav", "zero": "zero.wav", "loop": "loop.wav",
              "up": "../outside.wav", "absolute": os.path.abspath("outside.wav"), "folder": "."}
for name, path in recordings.items():
    put(f"{name}.csv", f"source_item_id,source_clip_id,path,onset_sec,offset_sec\nx,x,{path},0.1,0.2\n")
    put(f"source-{name}.yaml", f"""extends: {sys.argv[1]}/paper.yaml
name: hostile
version: 1.0.0
description: Recordings that mean harm.
license: CC0-1.0
on_label: flag
on_below_jnd: flag
splits:
  test:
    categories: [volume]
    sources:
      - {{kind: table, table: {name}.csv, root: corpus}}
""")
