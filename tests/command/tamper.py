# SPDX-License-Identifier: MIT
"""tamper.py RELEASE WHAT [reseal]: does one thing to a release that nobody may do, and says what it touched.

With `reseal` both lists of digests are made again, as somebody would who has all tools but the key.
"""
import hashlib
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

release, what = Path(sys.argv[1]), sys.argv[2]
manifest = release / "manifest.jsonl"
shards = sorted(release.glob("*.tar*"))


def rows():
    return manifest.read_text(encoding="utf-8").splitlines()


def canonical(row):
    return json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def rewrite(shard, keep=lambda name: True, extra=(), change=lambda name, data: data):
    """The shard again, with other members, as plain ustar with fixed metadata."""
    with tarfile.open(shard) as tar:
        members = [(m.name, change(m.name, tar.extractfile(m).read())) for m in tar if keep(m.name)]
    with tarfile.open(shard, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in [*members, *extra]:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


def encode_again(name, data):
    """The same samples by the program `flac` with its own settings."""
    if not name.endswith(".flac"):
        return data
    sound, again = release / "again.wav", release / "again.flac"  # to a pipe it could not write the digest of the samples
    subprocess.run(["flac", "-sd", "-", "-o", sound], input=data, check=True)
    subprocess.run(["flac", "-s8", "--no-padding", sound, "-o", again], check=True)
    data = again.read_bytes()
    sound.unlink()
    again.unlink()
    return data


if what == "byte":  # of a sound in a shard
    data = bytearray(shards[0].read_bytes())
    data[5000] ^= 4
    shards[0].write_bytes(data)
elif what == "labels":  # of two items, swapped
    lines = rows()
    first = json.loads(lines[0])
    other = next(i for i, line in enumerate(lines) if json.loads(line)["label"] != first["label"])
    for i in (0, other):
        label = json.loads(lines[i])["label"]
        swapped = "decrease" if label == "increase" else "increase"
        lines[i] = lines[i].replace(f'"label":"{label}"', f'"label":"{swapped}"')
    manifest.write_text("\n".join(lines) + "\n", encoding="utf-8")
elif what == "removed":  # an item, out of manifest and shard
    lines = rows()
    row = json.loads(lines.pop(3))
    manifest.write_text("\n".join(lines) + "\n", encoding="utf-8")
    rewrite(release / row["shard"], lambda name: not name.startswith(row["key"] + "."))
elif what == "added":  # an item, into a shard
    with tarfile.open(shards[0]) as tar:
        sound = tar.extractfile(tar.next()).read()
    rewrite(shards[0], extra=[("volume-0000000000000000.flac", sound), ("volume-0000000000000000.json", b"{}\n")])
elif what == "renamed":
    (release / "labels.csv").rename(release / "label.csv")
elif what == "truncated":
    data = shards[0].read_bytes()
    shards[0].write_bytes(data[: len(data) // 2])
elif what == "stale":  # a list of another time
    path = release / "CHECKSUMS"
    path.write_text(path.read_text().replace("README.md", "READ.md"))
elif what == "list":  # a digest in the list
    path = release / "SHA256SUMS"
    text = path.read_text()
    path.write_text(("0" if text[0] != "0" else "1") + text[1:])
elif what == "spec":
    path = release / "spec.yaml"
    path.write_text(path.read_text().replace('seed: "42"', 'seed: "43"'))
elif what == "encoder":  # another one, for a whole shard
    rewrite(shards[0], change=encode_again)
elif what == "reseal":  # nothing but the lists
    pass
else:
    sys.exit(f"unknown: {what}")

if "reseal" in sys.argv[2:]:
    lists = {"CHECKSUMS", "SHA256SUMS"}
    beside = (".minisig", ".sig", "provenance.intoto.jsonl")
    names = sorted(p.name for p in release.iterdir() if p.name not in lists and not p.name.endswith(beside))
    out = subprocess.run(["xxhsum", "-H2", *names], cwd=release, capture_output=True, check=True, text=True).stdout
    (release / "CHECKSUMS").write_text(out)
    lines = []
    for name in sorted([*names, "CHECKSUMS"]):
        lines.append(f"{hashlib.sha256((release / name).read_bytes()).hexdigest()}  {name}\n")
    (release / "SHA256SUMS").write_text("".join(lines))
