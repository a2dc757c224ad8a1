#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every case of the hostile corpora against hostile.tsv: read right, or refused by name with a reason.

usage: check_hostile.py VOCALGRAD HOSTILE_FOLDER TABLE PAPER_SPEC [--show]

Columns of the table: case (as INDEX.tsv has it), spec (keys it adds to the
spec, separated by "; "), entry (what stands in `sources`), good and bad sources, says (parts
of what must be said, separated by " & "), rate and frames where the one good source is known by them, why (where
the careful outcome is another than the index says).  Nothing may be in one of the two lists and not in the other.
"""
import csv
import os
import shutil
import subprocess
import sys
import tempfile

program, hostile, table, paper = (os.path.abspath(a) for a in sys.argv[1:5])
show = "--show" in sys.argv
SPEC = """extends: {paper}
name: t
version: 1.0.0
description: d
license: CC0-1.0
span: robust
{more}
splits:
  test:
    sources:
      - {entry}
"""


def read(path):
    with open(path, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def real_name(quoted):
    """INDEX.tsv has names as the shell's printf %q writes them."""
    return subprocess.run(["bash", "-c", f"printf %s {quoted}"], capture_output=True, check=True).stdout


def run(command, user=None):
    prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if user else []
    return subprocess.run(prefix + command, capture_output=True, timeout=120, check=False)


def prepare(case, folder):
    """The root of a case, and for a single file a selection table of one row."""
    if case["case"].split("/")[0] not in ("audio", "names", "fs"):
        return os.path.join(hostile, case["case"])
    name = real_name(case["case"])
    with open(os.path.join(folder, "t.csv"), "wb") as stream:
        stream.write(b'item_id,clip_id,audio_path\nx,y,"' + name.replace(b'"', b'""') + b'"\n')
    return hostile


def outcome(case, folder):
    root, run_as, binary = prepare(case, folder), None, program
    if case["case"] == "fs/unreadable.mp3" and os.geteuid() == 0:  # root reads it all the same
        os.chmod(folder, 0o755)
        os.mkdir(os.path.join(folder, "fs"))
        shutil.copy2(os.path.join(root, case["case"]), os.path.join(folder, "fs"))
        binary = shutil.copy2(program, folder)
        shutil.copy2(paper, folder)
        root, run_as = folder, "nobody"
    spec = os.path.join(folder, "s.yaml")
    with open(spec, "w", encoding="utf-8") as stream:
        stream.write(SPEC.format(paper=os.path.join(folder, "paper.yaml") if run_as else paper,
                                 more=case["spec"].replace("; ", "\n"), entry=case["entry"]))
    done = run([binary, "check", "--sources", spec, "--set", f"root={root}"], run_as)
    rows = [line.split("\t") for line in done.stdout.decode(errors="replace").splitlines()[1:]]
    bad = sum(row[0] == "bad" for row in rows)
    good = sum(int(row[3].split(": ")[1].split()[0]) for row in rows if row[0] == "rate")
    rate = frames = ""
    if good == 1 and bad == 0:
        sound = run([binary, "render", spec, "--set", f"root={root}", "--source", "x", "-o",
                     os.path.join(folder, "x.wav")]).stderr.decode(errors="replace")
        if " frames at " in sound:
            frames, rate = sound.split(": ")[-1].split(" Hz")[0].split(" frames at ")
    said = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
    return {"exit": done.returncode, "good": str(good), "bad": str(bad), "rate": rate, "frames": frames,
            "said": said}


def faults(case, found):
    wrong = [f"{key} is {found[key]}, expected {case[key]}"
             for key in ("good", "bad", "rate", "frames") if found[key] != case[key]]
    wrong += [f'did not say "{part}"' for part in case["says"].split(" & ") if part and part not in found["said"]]
    expected = 0 if case["bad"] == "0" and case["good"] != "0" else 4
    if found["exit"] != expected:
        wrong.append(f"exit {found['exit']}, expected {expected}")
    return wrong


def main():
    cases, index = read(table), [row["path"] for row in read(os.path.join(hostile, "INDEX.tsv"))]
    failed = 0
    for name in sorted(set(index) ^ {case["case"] for case in cases}):
        print(f"FAILED: {name} is in {'INDEX.tsv' if name in index else 'the table'} only")
        failed += 1
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            found = outcome(case, folder)
        wrong = faults(case, found)
        failed += len(wrong) > 0
        if wrong or show:
            print(f"{'FAILED' if wrong else 'fine'}: {case['case']}: {'; '.join(wrong)}")
            print("    " + "\n    ".join(found["said"].replace(hostile, "").strip().splitlines()[:12]))
    print(f"{len(cases) - failed} of {len(cases)} hostile cases as expected")
    return 1 if failed else 0


sys.exit(main())
