# SPDX-License-Identifier: MIT
"""Reads a release as a loader would: Python's tarfile, json and csv, and the key rule of WebDataset."""
import csv
import hashlib
import json
import sys
import tarfile
from pathlib import Path

release = Path(sys.argv[1])
manifest = [json.loads(line) for line in (release / "manifest.jsonl").open(encoding="utf-8")]
by_key = {row["key"]: row for row in manifest}
assert len(by_key) == len(manifest), "a key stands twice in the manifest"

samples = {}
fields = None
for shard in sorted(release.glob("*.tar*")):
    last = None
    for member in tarfile.open(shard):
        assert member.isfile() and member.mtime == 0 and member.uid == member.gid == 0, member.name
        assert member.mode == 0o644 and member.uname == member.gname == "", member.name
        key, _, suffix = member.name.partition(".")  # up to the first dot
        if key != last:
            assert key not in samples, f"{key}: members are not adjacent"
            samples[key] = {}
        last = key
        samples[key][suffix] = tarfile.open(shard).extractfile(member).read()
for key, sample in samples.items():
    assert set(sample) == {"flac", "json"}, key
    row = by_key[key]
    note = json.loads(sample["json"])
    fields = fields or set(note)
    assert set(note) == fields, f"{key}: other fields than the first sample"
    assert note["label"] == row["label"] and note["key"] == key
assert set(samples) == set(by_key)

rows = list(csv.DictReader((release / "metadata.csv").open(encoding="utf-8", newline="")))
assert len(rows) == len(manifest)
assert list(rows[0]) == (
    "file_name category benchmark_clip_id source_text attribute prompt label direction curve tier "
    "source_clip_id speaker_id sentence_id duration_sec onset_sec offset_sec split"
).split()
for row, item in zip(rows, manifest):
    assert row["category"] == item["category"] and row["label"] == item["label"]

for line in (release / "SHA256SUMS").open():
    digest, name = line.rstrip("\n").split("  ")
    assert hashlib.sha256((release / name).read_bytes()).hexdigest() == digest, name
print(len(samples), "samples")
