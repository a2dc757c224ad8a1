# SPDX-License-Identifier: MIT
"""Times whole builds and writes the table of ci/bench.  Every figure is of this run on this machine."""
import argparse, glob, json, os, platform, shutil, subprocess, sys, tempfile, time

# The paper's own pipeline, rendering alone: ms per item of a 4 s clip at 48 kHz on one core.
PAPER_MS = {"volume": 3.6, "speaking_speed": 79.4, "voice_pitch": 91.9, "background_noise": 4.5,
            "audio_distortion": 3.9, "audio_roughness": 4.0, "voice_clarity": 28.0, "voice_vibration": 9.6, "echo": 4.2}
PAPER_SAMPLES = 4 * 48000
# How many times faster than that our rendering is to be.
FASTER_MIN = {name: 2 if name in ("volume", "background_noise", "audio_distortion", "audio_roughness") else 8 for name in PAPER_MS}

class Failed(Exception):
    """A part that could not be measured; the others go on."""

def build(options, spec, folder, jobs, extra=()):
    """Builds into a fresh folder; wall and processor seconds, peak memory in MiB, items."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [options.vocalgrad, "build", "-q", spec, "-o", folder, f"-j{jobs}", "--set", "on_label=flag",
               "--set", "on_below_jnd=flag", *options.build_options, *extra]
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failed(f"{' '.join(command)}: exit {process.returncode}")
    release = json.load(open(glob.glob(f"{folder}/*/release.json")[0]))
    return {"wall_sec": wall, "cpu_sec": usage.ru_utime + usage.ru_stime, "peak_mib": usage.ru_maxrss / 1024,
            "items": release["counts"]["items"], "jobs": jobs}

def pack_sources(options, spec, work):
    """The sources as FLAC files: to make synthetic speech is no part of a build from recordings."""
    pack = f"{work}/sources.tar.flac"
    done = subprocess.run([options.vocalgrad, "pack-sources", "-q", spec, "-o", pack], stdout=subprocess.DEVNULL)
    return ["--set", f"source_pack={pack}"] if done.returncode == 0 else sys.exit("the sources cannot be packed")

def yardstick(options, folder):
    shards = sorted(glob.glob(f"{folder}/*/*.tar.flac"))
    return json.loads(subprocess.run([options.yardstick, *shards], check=True, stdout=subprocess.PIPE).stdout)

def tones(path, count, seconds, rate_hz=16000, categories="volume"):
    """A spec of `count` beeps: 24 items each in a category."""
    frequencies = ", ".join(str(400 + 0.5 * i) for i in range(count))
    with open(path, "w") as f:
        f.write(f"""extends: {TOP}/specs/paper.yaml
name: growth
version: 1.0.0
description: Growth with size.
license: CC0-1.0
splits:
  beep:
    categories: [{categories}]
    sources:
      - kind: tone
        id: "beep_{{n:05}}"
        clip_id: "beep_{{n:05}}"
        sample_rate_hz: {rate_hz}
        lead_sec: 0.2
        tone_sec: {seconds}
        tail_sec: 0.2
        amplitude: 0.2
        frequencies_hz: [{frequencies}]
""")
    return path

def render_alone(options, spec, extra):
    """Milliseconds of rendering, of a clip of 4 s at 48 kHz, by category."""
    command = [options.renderer, spec, "-q", *extra]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return {row["category"]: 1e3 * row["seconds"] * PAPER_SAMPLES / row["samples"] for row in found}

def complete(name, one, two, alone, paper_sec, render_ms, paper_ms):
    """A row of the table: builds at -j1 and -j2, what libFLAC alone took, rendering alone and the paper's."""
    return {"category": name, **one, **alone, "paper_render_sec": paper_sec, "j2": two,
            "ms_per_item": 1e3 * one["cpu_sec"] / one["items"], "flac_ms_per_item": 1e3 * alone["flac_sec"] / one["items"],
            "ratio_flac": one["cpu_sec"] / alone["flac_sec"], "ratio_level5": one["cpu_sec"] / alone["level5_sec"],
            "whole_build_to_paper_render": one["cpu_sec"] / paper_sec, "render_ms_4s": render_ms, "paper_render_ms_4s": paper_ms,
            "render_faster": paper_ms / render_ms, "render_faster_min": FASTER_MIN.get(name),
            "items_per_sec": {"j1": one["items"] / one["wall_sec"], "j2": two["items"] / two["wall_sec"]}}

def by_category(options, spec, work, extra, rows):
    render_ms = render_alone(options, spec, extra)
    for category, paper_ms in PAPER_MS.items():
        folder = f"{work}/{category}"
        one, two = (build(options, spec, folder, jobs, [*extra, "--only", f"category={category}"]) for jobs in (1, 2))
        found = yardstick(options, folder)[0]
        alone = {"flac_sec": found["stable_sec"], "level5_sec": found["level5_sec"], "samples": found["samples"]}
        rows.append(complete(category, one, two, alone, paper_ms * found["samples"] / PAPER_SAMPLES / 1e3,
                             render_ms[category], paper_ms))
        print_row(rows[-1])
        shutil.rmtree(folder)

def whole(options, spec, work, extra, rows):
    one, two = (build(options, spec, f"{work}/whole", jobs, extra) for jobs in (1, 2))
    sums = {key: sum(row[key] for row in rows) for key in ("flac_sec", "level5_sec", "samples", "paper_render_sec")}
    row = complete("whole", one, two, sums, sums["paper_render_sec"], sum(row["render_ms_4s"] for row in rows), sum(PAPER_MS.values()))
    print_row(row)
    print(f"\n-j2 gives {row['items_per_sec']['j2'] / row['items_per_sec']['j1']:.2f} times the items of -j1; the whole build is "
          f"{1 / row['whole_build_to_paper_render']:.1f} times as fast as the paper's rendering alone")
    return row

def print_row(row):
    least = row["render_faster_min"]
    bound = "" if least is None else f"{least}: {'met' if row['render_faster'] >= least else 'missed'}"
    print(f"{row['category']:<18}{row['ms_per_item']:>8.2f}{row['flac_ms_per_item']:>9.2f}{row['ratio_flac']:>7.2f}"
          f"{row['ratio_level5']:>7.2f}{row['peak_mib']:>6.0f}{row['items_per_sec']['j1']:>7.0f}{row['items_per_sec']['j2']:>7.0f}"
          f"{row['render_ms_4s']:>9.2f}{row['paper_render_ms_4s']:>8.1f}{row['render_faster']:>8.1f} {bound}", flush=True)

def machine():
    model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return {"cpu": model[0] if model else platform.machine(), "cpus": len(os.sched_getaffinity(0)),
            "system": platform.platform(), "load": os.getloadavg()[0]}

def growth(options, work, sizes):
    rows = []
    print(f"\ngrowth, -j2: beeps of 1.4 s at 16 kHz\n{'items':>9}{'seconds':>10}{'ms/item':>9}{'peak MiB':>10}")
    for items in sizes:
        row = build(options, tones(f"{work}/growth.yaml", items // 24, 1), f"{work}/growth", 2)
        rows.append(row)
        print(f"{row['items']:>9}{row['wall_sec']:>10.1f}{1e3 * row['wall_sec'] / row['items']:>9.2f}{row['peak_mib']:>10.0f}",
              flush=True)
    shutil.rmtree(f"{work}/growth")
    return rows

def ten_minutes(options, work, rate_hz):
    """One source of ten minutes in all nine categories, one pair of each."""
    only = ["--only", "tier=high", "--only", "curve=linear"]
    row = build(options, tones(f"{work}/long.yaml", 1, 600, rate_hz, ", ".join(PAPER_MS)), f"{work}/long", 2, only)
    shutil.rmtree(f"{work}/long")
    print(f"a source of ten minutes at {rate_hz} Hz, nine categories, -j2: {row['items']} items, {row['wall_sec']:.0f} s, "
          f"{row['peak_mib']:.0f} MiB", flush=True)
    return {**row, "rate_hz": rate_hz}

def ten_million(options, work):
    """A plan of ten million items, into nothing."""
    with open(f"{work}/many.csv", "w") as f:
        f.write("source_item_id,clip_id,speaker_id,path,onset_sec,offset_sec\n")
        f.writelines(f"s{i:06},c{i * 7},p{i % 997},clips/{i * 7}.flac,0.25,3.5\n" for i in range(46297))
    with open(f"{work}/many.yaml", "w") as f:
        f.write(f"extends: {TOP}/specs/paper.yaml\nname: many\nversion: 1.0.0\ndescription: Many.\nlicense: CC0-1.0\n"
                "splits:\n  test:\n    sources:\n      - {kind: table, table: many.csv, licence: CC0-1.0, corpus: many}\n")
    process = subprocess.Popen([options.vocalgrad, "plan", "-q", f"{work}/many.yaml"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failed("the plan of many items failed")
    row = {"items": 46297 * 216, "cpu_sec": usage.ru_utime + usage.ru_stime, "peak_mib": usage.ru_maxrss / 1024}
    print(f"a plan of {row['items']} items: {row['cpu_sec']:.1f} s, {row['peak_mib']:.0f} MiB", flush=True)
    return row

def attempt(result, name, measure):
    """Notes what was measured, or that it failed; the parts after it go on."""
    try:
        row = measure()
        if row is not None:
            result[name] = row
    except (Failed, subprocess.CalledProcessError) as failure:
        result.setdefault("failed", {})[name] = str(failure)
        print(f"{name}: {failure}", file=sys.stderr, flush=True)

def main():
    global TOP
    parser = argparse.ArgumentParser()
    for name in ("top", "vocalgrad", "yardstick", "renderer", "json"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--spec", help="what is built (default: specs/voice.yaml, 48 kHz speech)")
    parser.add_argument("--sizes", default="1008,10008", help="items whose growth is looked at, multiples of 24")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    TOP = options.top
    spec = options.spec or f"{options.top}/specs/voice.yaml"
    shown = subprocess.run([options.vocalgrad, "build", "--help"], stdout=subprocess.PIPE, text=True).stdout
    options.build_options = ["--no-cache"] if "--no-cache" in shown else []
    work = tempfile.mkdtemp(prefix="vocalgrad-bench-")
    result = {"machine": machine()}
    try:
        print(f"{result['machine']['cpu']}, {result['machine']['cpus']} CPUs, load {result['machine']['load']:.1f}\n"
              "milliseconds of processor time per item, whole build at -j1: decode, render, measure, encode, prove, pack, hash,\n"
              "read back; beside libFLAC alone at our settings and at its level 5; peak memory; items a second at -j1 and -j2;\n"
              "and rendering alone, of a clip of 4 s at 48 kHz, beside the paper's\n")
        print(f"{'category':<18}{'build':>8}{'libFLAC':>9}{'ratio':>7}{'to L5':>7}{'MiB':>6}{'-j1/s':>7}{'-j2/s':>7}"
              f"{'render':>9}{'paper':>8}{'faster':>8} at least")
        extra = pack_sources(options, spec, work)
        rows = result["categories"] = []
        attempt(result, "by_category", lambda: by_category(options, spec, work, extra, rows))
        if len(rows) == len(PAPER_MS):
            attempt(result, "whole", lambda: whole(options, spec, work, extra, rows))
        if not options.quick:
            sizes = [int(size) for size in options.sizes.split(",")] + ([100008] if options.large else [])
            attempt(result, "growth", lambda: growth(options, work, sizes))
            for rate_hz in (16000, 48000):
                attempt(result, f"ten_minutes_{rate_hz}", lambda: ten_minutes(options, work, rate_hz))
            attempt(result, "plan", lambda: ten_million(options, work))
    finally:
        shutil.rmtree(work)
        with open(options.json, "w") as f: # what there is, even where a part failed
            json.dump(result, f, indent=1)
            f.write("\n")
    if "failed" in result:
        sys.exit(f"{len(result['failed'])} parts could not be measured: {', '.join(result['failed'])}")

main()
