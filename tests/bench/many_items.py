#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""many_items.py RELEASE FOLDER COUNT: a release like RELEASE with COUNT items in its manifest.

Rows are repeated with other ids and keys and as many sources as a paper-sized release has; the shards are the old
ones, so that the first copy of every item can be heard.  Not a sound release: `verify` says no."""
import json
import os
import sys

release, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.makedirs(folder)
for name in os.listdir(release):
    if name not in ("manifest.jsonl", "release.json"):
        os.symlink(os.path.abspath(os.path.join(release, name)), os.path.join(folder, name))
about = json.load(open(os.path.join(release, "release.json")))
about["counts"]["items"] = count
with open(os.path.join(folder, "release.json"), "w") as out:
    json.dump(about, out, sort_keys=True, separators=(",", ":"))
    out.write("\n")
# Row by row as text: the reader refuses a number that is written in another way.
rows = [(json.loads(line), line) for line in open(os.path.join(release, "manifest.jsonl"))]
with open(os.path.join(folder, "manifest.jsonl"), "w") as out:
    for i in range(count):
        (row, line), copy = rows[i % len(rows)], i // len(rows)
        if copy > 0:
            for key, value in (("id", f"s{copy:04}_{row['id']}"), ("source", f"s{copy:04}_{row['source']}"),
                               ("key", f"{row['category']}-{i:016x}")):
                line = line.replace(f'"{key}":{json.dumps(row[key])}', f'"{key}":{json.dumps(value)}', 1)
        out.write(line)
