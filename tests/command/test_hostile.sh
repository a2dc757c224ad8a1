#!/bin/sh
# SPDX-License-Identifier: MIT
# Input that means harm: specs, tables, recordings and releases.  Each is refused with a sentence, within a minute and
# two GiB, and nothing outside the output is read or written.
. "$(dirname -- "$0")/lib.sh"
small=$VG_TOP/tests/command/small.yaml
name=vocalgrad-small-0.1.0

# The sanitizers map terabytes; elsewhere a bomb must not find more than two GiB.
bounded() {
    [ "${VG_SANITIZED:-0}" = 1 ] || ulimit -v 2097152
    timeout 60 "$VOCALGRAD" "$@"
}
refused() { code=$1 pattern=$2; shift 2; expect_exit "$code" "$pattern" bounded "$@"; }

# --- specs, tables and recordings -----------------------------------------------------------------------------------
mkdir inputs && cd inputs && python3 "$VG_TOP/tests/command/make_hostile.py" "$VG_TOP/specs" || exit 1
# In a subshell each, so that the limit is the command's alone.
try() { (refused "$@"; echo "$passed $failed" >"$work/counts"); read -r passed failed <"$work/counts"; }
try 3 "aliases unfold to more than" check laughs.yaml
try 3 "nested deeper than 32 levels" check deep.yaml
try 3 "is too long" check long.yaml
try 3 "extends itself" check ping.yaml
try 3 "is not a regular file" check device.yaml
try 3 "control character" check control.yaml
try 4 "the file holds 200" build source-claim.yaml -o out
try 4 "no samples" build source-channels.yaml -o out
try 4 "4294967295 Hz" build source-rate.yaml -o out
try 4 " 0 Hz" build source-norate.yaml -o out
try 4 "longer than 600 seconds" build source-flac.yaml -o out
try 4 "is not a regular file" build source-pipe.yaml -o out
try 4 "is not a regular file" build source-zero.yaml -o out
try 4 "symbolic links" build source-loop.yaml -o out
try 4 "leads out of the root" build source-up.yaml -o out
try 4 "leads out of the root" build source-absolute.yaml -o out
try 4 "is not a regular file" build source-folder.yaml -o out
expect "no release of any" test -z "$(find out -name 'hostile-1.0.0*' 2>/dev/null)"
cd "$work" || exit 1

# --- releases and parts whose files are something else ----------------------------------------------------------------
"$VOCALGRAD" build -q "$small" -o good --no-cache >log 2>&1
for i in 1 2; do "$VOCALGRAD" build -q "$small" -o parts --no-cache --shard "$i/2" >log 2>&1; done
for file in manifest.jsonl release.json spec.yaml CHECKSUMS labels.csv shard; do
    for kind in device pipe folder; do
        rm -rf bad badparts unpacked && cp -r "good/$name" bad && cp -r parts badparts
        target=bad/$file part=$(echo badparts/*-00002-of-*)/$file
        if [ "$file" = shard ]; then
            target=$(echo bad/*-beep-00000-*.tar.flac) part=$(echo badparts/*-00002-of-*/*-beep-00000-*.tar.flac)
        fi
        rm "$target" "$part"
        case $kind in
        device) ln -s /dev/zero "$target" && ln -s /dev/zero "$part" ;;
        pipe) mkfifo "$target" "$part" ;;
        folder) mkdir "$target" "$part" ;;
        esac
        for verb in verify "unpack -o unpacked --layout flat" merge; do
            [ "$verb" = merge ] && operands="badparts/*" || operands=bad
            # shellcheck disable=SC2086
            (bounded $verb $operands >said.log 2>&1)
            code=$?
            # unpack reads the manifest, release.json and the shards; it may do without the rest.
            case $code in
            1 | 3 | 5) expect "$verb: $file is a $kind: told" test -s said.log ;;
            0) expect "$verb: $file is a $kind" test "${verb%% *}" = unpack ;;
            *) expect "$verb: $file is a $kind: exit $code" false ;;
            esac
        done
    done
done

# --- archives and lists that lead elsewhere -----------------------------------------------------------------------------
# alter PYTHON: change the release `bad` and give it sums that hold, as who means harm would.
alter() {
    rm -rf bad unpacked && cp -r "good/$name" bad
    python3 - "$1" <<'PYTHON'
import hashlib, io, json, os, subprocess, sys, tarfile
os.chdir("bad")
shard = sorted(f for f in os.listdir() if f.endswith(".tar.flac"))[0]
def member(kind, name, target="", data=b""):
    info = tarfile.TarInfo(name); info.type = kind; info.linkname = target; info.size = len(data)
    with tarfile.open(shard, "a", format=tarfile.USTAR_FORMAT) as tar: tar.addfile(info, io.BytesIO(data))
exec(sys.argv[1])
names = sorted(f for f in os.listdir() if f not in ("CHECKSUMS", "SHA256SUMS") and os.path.isfile(f))
with open("CHECKSUMS", "w") as f: f.write(subprocess.run(["xxhsum", "-H2", *names], stdout=subprocess.PIPE, text=True, check=True).stdout)
with open("SHA256SUMS", "w") as f:
    for n in sorted(names + ["CHECKSUMS"]): f.write(f"{hashlib.sha256(open(n, 'rb').read()).hexdigest()}  {n}\n")
PYTHON
}
attack() {
    alter "$2"
    try 1 "$1" verify bad
    (bounded unpack bad -o unpacked --layout flat >log 2>&1)
    expect "unpack of it stays inside: $1" test ! -e escaped -a ! -e ../escaped -a -z "$(find unpacked -type l 2>/dev/null)"
}
attack "not a plain relative path" 'member(tarfile.REGTYPE, "../escaped", data=b"x")'
attack "$name" 'member(tarfile.SYMTYPE, "link.flac", "/etc/passwd")'
attack "$name" 'member(tarfile.LNKTYPE, "hard.flac", "/etc/passwd")'
attack "$name" 'member(tarfile.CHRTYPE, "device.flac")'
attack "$name" 'member(tarfile.REGTYPE, "/tmp/escaped", data=b"x")'
attack "release.json" 't = open("release.json").read().replace(shard, "../" + shard); open("release.json", "w").write(t)'
attack "manifest.jsonl" 't = open("manifest.jsonl").read().replace(shard, "../../" + shard); open("manifest.jsonl", "w").write(t)'
attack "manifest.jsonl" 'open("manifest.jsonl", "a").write("[" * 500000)'
attack "manifest.jsonl" 'open("manifest.jsonl", "ab").write(bytes(1000))'
attack "release.json" 'open("release.json", "w").write("[" * 500000)'

# --- the program itself ---------------------------------------------------------------------------------------------------
if [ "${VG_SANITIZED:-0}" != 1 ] && command -v readelf >log; then
    expect "position-independent" sh -c 'readelf -hW "$0" | grep -q "Type:.*DYN"' "$VOCALGRAD"
    expect "read-only after relocation" sh -c 'readelf -lW "$0" | grep -q GNU_RELRO && readelf -dW "$0" | grep -q "BIND_NOW\|NOW"' "$VOCALGRAD"
    expect "no executable stack" sh -c 'readelf -lW "$0" | grep GNU_STACK | grep -qv RWE' "$VOCALGRAD"
    expect "a guarded stack" sh -c 'readelf -sW "$0" | grep -q __stack_chk_fail' "$VOCALGRAD"
fi
finish
