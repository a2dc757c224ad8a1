# SPDX-License-Identifier: MIT
"""Reads what `unpack` wrote, by the documented rules of the loaders and nothing but the standard library.

read_layouts.py RELEASE paper|hub|flat FOLDER [flac|wav]
Every item must be there once, with the label, words and samples that the release has.
"""
import csv
import fnmatch
import hashlib
import io
import json
import re
import sys
import tarfile
import unicodedata
import wave
from pathlib import Path

release, layout, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
ending = sys.argv[4] if len(sys.argv) > 4 else {"paper": "wav"}.get(layout, "flac")
manifest = {}
for line in (release / "manifest.jsonl").open(encoding="utf-8"):
    row = json.loads(line)
    manifest[(row["category"], row["id"])] = row
by_key = {row["key"]: row for row in manifest.values()}
sounds = {}  # key -> FLAC bytes, out of the shards
for shard in sorted(release.glob("*.tar*")):
    with tarfile.open(shard) as tar:
        for member in tar:
            if member.name.endswith(".flac"):
                sounds[member.name[: -len(".flac")]] = tar.extractfile(member).read()
assert set(sounds) == set(by_key)


def check_sound(path, key):
    """The file's samples are the item's: FLAC by its bytes, WAV by the MD5 that the FLAC file states."""
    data, flac = path.read_bytes(), sounds[key]
    if ending == "flac":
        assert data == flac, path
        return
    with wave.open(io.BytesIO(data)) as sound:
        assert (sound.getnchannels(), sound.getsampwidth()) == (1, 2), path
        assert sound.getframerate() == by_key[key]["sample_rate_hz"], path
        samples = sound.readframes(sound.getnframes())
    assert len(samples) == 2 * by_key[key]["frames"], path
    assert hashlib.md5(samples).digest() == flac[26:42], path  # STREAMINFO: 8 + 18 bytes before its MD5


DEVICES = {"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(10)}


def lint_names():
    """Every name exists on Windows and macOS, and no two of a folder are one there."""
    for place in [folder, *(p for p in folder.rglob("*") if p.is_dir())]:
        seen = {}
        names = [p.name for p in place.iterdir()]
        assert len(names) < 10000 or layout == "paper", place
        for name in names:
            assert not re.search(r'[<>:"|?*\\/\x00-\x1f\x7f]', name) and name.isascii(), name
            assert not name.endswith((".", " ")) and not name.startswith("-"), name
            assert name.split(".")[0].lower() not in DEVICES, name
            assert len(name) <= 200 and unicodedata.normalize("NFC", name) == name, name
            assert seen.setdefault(name.lower(), name) == name, (name, seen[name.lower()])


def public_table(path, root, extension):
    """metadata.csv of the published form, row by row; returns what it names."""
    with path.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == len(manifest), path
    for row, item in zip(rows, manifest.values()):  # in plan order
        assert row["category"] == item["category"] and row["benchmark_clip_id"] == item["id"]
        for column in "source_text attribute prompt label direction curve tier source_clip_id speaker_id sentence_id split".split():
            assert row[column] == item[column], (column, row[column], item[column])
        for column in ("duration_sec", "onset_sec", "offset_sec"):
            assert abs(float(row[column]) - item[column]) < 1e-6
        assert row["file_name"].endswith("." + extension)
        check_sound(root / row["file_name"], item["key"])
    named = {row["file_name"] for row in rows}
    assert len(named) == len(rows)
    return named


def read_paper():
    named = public_table(folder / "metadata.csv", folder, ending)
    assert named == {str(p.relative_to(folder)) for p in (folder / "audio").iterdir()}
    count = 0
    for table in sorted(folder.glob("*/*/metadata/*_manifest.csv")):
        category = table.parts[-3]
        assert table.name == f"{category}_manifest.csv"
        files = set()
        lower = [i.lower() for c, i in manifest if c == category]  # ids that differ in case only get a hash
        with table.open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                item = manifest[(category, row["item_id"])]
                path = table.parent.parent / row["audio_path"]
                assert path.parts[-2] == item["direction"] and path.parts[-3] == "audio"
                assert row["label"] == item["label"] and json.loads(row["parameters"]) == item["parameters"]
                if re.fullmatch(r"[a-z0-9_]{1,100}", item["id"]) and lower.count(item["id"]) == 1:
                    assert path.name == f"{item['id']}.{ending}"
                    assert (folder / "audio" / f"{category}__{item['id']}.{ending}").samefile(path)
                check_sound(path, item["key"])
                files.add(path)
                count += 1
        assert files == set((table.parent.parent / "audio").rglob("*." + ending))
    assert count == len(manifest)


def read_flat():
    named = public_table(folder / "metadata.csv", folder, ending)
    assert named == {str(p.relative_to(folder)) for p in (folder / "audio").rglob("*." + ending)}
    for name in named:
        assert not re.search(r"increase|decrease|up|down", name), name


def front_matter():
    """The YAML head of README.md, as far as it is used here: configs, data_files, drop_labels."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    head = text.split("---\n")[1]
    files = re.findall(r'^  - split: "(\S+)"\n    path: "([^"]+)"$', head, re.M)
    assert re.search(r"^configs:\n- config_name: default\n  drop_labels: true\n  data_files:$", head, re.M)
    assert files
    return files


def infer(values):
    """The type that a column reader gives: integers and numbers apart, texts as texts."""
    kinds = {type(v).__name__ for v in values}
    assert len(kinds) == 1, kinds
    return kinds.pop()


def read_hub():
    everything = [str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()]
    count, features, splits = 0, None, {row["split"] for row in manifest.values()}
    configured = front_matter()
    assert {split for split, _ in configured} == splits
    for split, pattern in configured:
        assert re.fullmatch(r"\w+(\.\w+)*", split) and split != "all"  # what the loader allows
        files = [f for f in everything if fnmatch.fnmatch(f, pattern)]
        tables = [f for f in files if re.search(r"(^|/)metadata\.(csv|jsonl|parquet)$", f)]
        sound = {f for f in files if f.endswith("." + ending)}
        assert len(tables) == 1 and tables[0].endswith(".jsonl"), tables
        assert set(files) == sound | set(tables)
        rows = [json.loads(line) for line in (folder / tables[0]).open(encoding="utf-8")]
        found = {name: infer(row[name] for row in rows) for name in rows[0]}
        assert all(row.keys() == found.keys() for row in rows)
        features = features or found
        assert found == features, "other features than the first split"
        used = set()
        for row in rows:
            item = by_key[row["key"]]
            path = (folder / tables[0]).parent / row["file_name"]
            used.add(str(path.relative_to(folder)))
            assert item["split"] == split and row["benchmark_clip_id"] == item["id"]
            for column in "label direction curve tier category prompt source_text speaker_id sentence_id source_clip_id source".split():
                assert row[column] == item[column] and isinstance(row[column], str)
            check_sound(path, row["key"])
        assert used == sound
        count += len(rows)
    assert count == len(manifest)


lint_names()
{"paper": read_paper, "hub": read_hub, "flat": read_flat}[layout]()
for name in ("ATTRIBUTION.md", "manifest.jsonl", "release.json", "sources.csv", "spec.yaml"):
    assert (folder / name).read_bytes() == (release / name).read_bytes(), name
print(layout, len(manifest), "items")
