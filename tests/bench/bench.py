# SPDX-License-Identifier: MIT
"""Times whole builds and writes the table of ci/bench.  Every figure is of this run on this machine."""
import argparse, glob, json, os, platform, resource, shutil, subprocess, sys, tempfile, time

# The paper's own pipeline, rendering alone: ms per item of a 4 s clip at 48 kHz on one core.
PAPER_MS = {"volume": 3.6, "speaking_speed": 79.4, "voice_pitch": 91.9, "background_noise": 4.5,
            "audio_distortion": 3.9, "audio_roughness": 4.0, "voice_clarity": 28.0, "voice_vibration": 9.6, "echo": 4.2}
PAPER_SAMPLES = 4 * 48000

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
        sys.exit(f"{' '.join(command)}: exit {process.returncode}")
    release = json.load(open(glob.glob(f"{folder}/*/release.json")[0]))
    return {"wall_sec": wall, "cpu_sec": usage.ru_utime + usage.ru_stime, "peak_mib": usage.ru_maxrss / 1024,
            "items": release["counts"]["items"], "jobs": jobs}

def yardstick(options, folder):
    shards = sorted(glob.glob(f"{folder}/*/*.tar.flac"))
    return json.loads(subprocess.run([options.yardstick, *shards], check=True, stdout=subprocess.PIPE).stdout)

def tones(path, count, seconds, rate_hz=16000):
    """A spec of `count` beeps in one category: 24 items each."""
    frequencies = ", ".join(str(400 + 0.5 * i) for i in range(count))
    with open(path, "w") as f:
        f.write(f"""extends: {TOP}/specs/paper.yaml
name: growth
version: 1.0.0
description: Growth with size.
license: CC0-1.0
splits:
  beep:
    categories: [volume]
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

def by_category(options, spec, work):
    rows = []
    for category, paper_ms in PAPER_MS.items():
        folder = f"{work}/{category}"
        one = build(options, spec, folder, 1, ["--only", f"category={category}"])
        alone = yardstick(options, folder)[0]
        paper_sec = paper_ms * alone["samples"] / PAPER_SAMPLES / 1e3
        rows.append({"category": category, **one, "flac_sec": alone["stable_sec"], "level5_sec": alone["level5_sec"],
                     "samples": alone["samples"], "paper_render_sec": paper_sec})
        shutil.rmtree(folder)
    return rows

def print_row(name, row):
    print(f"{name:<18}{1e3 * row['cpu_sec'] / row['items']:>9.2f}{1e3 * row['flac_sec'] / row['items']:>9.2f}"
          f"{row['cpu_sec'] / row['flac_sec']:>9.2f}{row['cpu_sec'] / row['level5_sec']:>9.2f}"
          f"{1e3 * row['paper_render_sec'] / row['items']:>10.2f}{row['paper_render_sec'] / row['cpu_sec']:>9.2f}"
          f"{row['peak_mib']:>9.0f}")

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
    long = build(options, tones(f"{work}/long.yaml", 1, 600, 48000), f"{work}/long", 2)
    print(f"a source of ten minutes at 48 kHz, -j2: {long['items']} items, {long['wall_sec']:.1f} s, {long['peak_mib']:.0f} MiB")
    return rows, long

def main():
    global TOP
    parser = argparse.ArgumentParser()
    for name in ("top", "vocalgrad", "yardstick", "json"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--spec", help="what is built (default: specs/voice.yaml, 48 kHz speech)")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    TOP = options.top
    spec = options.spec or f"{options.top}/specs/voice.yaml"
    shown = subprocess.run([options.vocalgrad, "build", "--help"], stdout=subprocess.PIPE, text=True).stdout
    options.build_options = ["--no-cache"] if "--no-cache" in shown else []
    work = tempfile.mkdtemp(prefix="vocalgrad-bench-")
    try:
        result = {"machine": machine()}
        print(f"{result['machine']['cpu']}, {result['machine']['cpus']} CPUs, load {result['machine']['load']:.1f}\n"
              "milliseconds of processor time per item, whole build at -j1: decode, render, measure, encode, prove, pack, hash,\n"
              "read back; beside libFLAC alone at our settings and at its level 5, and the paper's rendering alone\n")
        print(f"{'category':<18}{'build':>9}{'libFLAC':>9}{'ratio':>9}{'ratio L5':>9}{'paper':>10}{'faster':>9}{'MiB':>9}")
        result["categories"] = by_category(options, spec, work)
        for row in result["categories"]:
            print_row(row["category"], row)
        one, two = (build(options, spec, f"{work}/whole", jobs) for jobs in (1, 2))
        sums = {key: sum(row[key] for row in result["categories"]) for key in ("flac_sec", "level5_sec", "samples", "paper_render_sec")}
        result["whole"] = [{**one, **sums}, {**two, **sums}]
        print_row("whole", result["whole"][0])
        rates = [row["items"] / row["wall_sec"] for row in (one, two)]
        print(f"\n-j1 {rates[0]:.0f} items/s, -j2 {rates[1]:.0f} items/s: {rates[1] / rates[0]:.2f} times as many")
        if not options.quick:
            sizes = [1008, 10008] + ([100008] if options.large else [])
            result["growth"], result["ten_minutes"] = growth(options, work, sizes)
        with open(options.json, "w") as f:
            json.dump(result, f, indent=1)
            f.write("\n")
    finally:
        shutil.rmtree(work)

main()
