#!/bin/sh
# SPDX-License-Identifier: MIT
# What goes wrong around a build: it says so, exits with the code of the contract, leaves nothing under a final name,
# and the next build ends in the same bytes.  The argument is how often it is killed (20; 100 on demand).
. "$(dirname -- "$0")/lib.sh"
spec=$VG_TOP/tests/command/small.yaml
name=vocalgrad-small-0.1.0
kills=${1:-20}
root=$([ "$(id -u)" -eq 0 ] && echo yes || echo no)

expect "a build to compare with" "$VOCALGRAD" build -q "$spec" -o good
nothing() { expect "nothing under the final name: $1" test ! -e "$1/$name"; }
whole() { expect "the same bytes: $1" diff -r "good/$name" "$1/$name"; }

# --- SIGKILL at moments spread over the build, out of order ------------------------------------------------------
begun=$(date +%s%N)
"$VOCALGRAD" build -q "$spec" -o timed -j2 >log 2>&1
length=$((($(date +%s%N) - begun) / 1000000))
died=0
i=0
while [ "$i" -lt "$kills" ]; do
    "$VOCALGRAD" build -q "$spec" -o killed -j2 >log 2>&1 &
    pid=$!
    sleep "$(printf '%d.%03d' $((length * (i * 37 % kills) / kills / 1000)) $((length * (i * 37 % kills) / kills % 1000)))"
    kill -9 "$pid" 2>/dev/null && died=$((died + 1))
    wait "$pid" 2>/dev/null
    [ ! -e "killed/$name" ] || whole killed
    "$VOCALGRAD" build -q "$spec" -o killed -j2 >log 2>&1
    whole killed
    rm -rf "killed/$name"
    i=$((i + 1))
done
expect "some were killed" test "$died" -gt 0

# --- interrupted -----------------------------------------------------------------------------------------------
for signal in INT TERM HUP; do
    rm -rf stopped
    "$VOCALGRAD" build "$VG_TOP/specs/voice.yaml" -o stopped -j1 >log 2>&1 &
    pid=$!
    until [ -d stopped ] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    kill -s "$signal" "$pid"
    wait "$pid"
    expect "SIG$signal: exit 5" test $? -eq 5
    expect "SIG$signal is told, and how to go on" grep -q "interrupted by signal .* the same command goes on" log
    expect "SIG$signal leaves no half of a release" test -z "$(find stopped -mindepth 1 -maxdepth 1 -name 'vocalgrad*')"
done

# --- the disk ----------------------------------------------------------------------------------------------------
if [ "$root" = yes ] && mkdir small && mount -t tmpfs -o size=512k none small 2>/dev/null; then
    expect_exit 5 "No space left" "$VOCALGRAD" build "$spec" -o small
    nothing small
    umount small
    mount -t tmpfs -o ro none small
    expect_exit 5 "Read-only file system" "$VOCALGRAD" build "$spec" -o small
    umount small
else
    echo "not run: a small and a read-only file system need root and mount"
fi
# A quota: what the kernel says when the file may not grow.
expect_exit 5 "File too large" sh -c "trap '' XFSZ; ulimit -f 200; exec \"\$0\" build \"\$1\" -o quota" "$VOCALGRAD" "$spec"
nothing quota
expect_exit 5 "cannot write" sh -c '"$0" plan "$1" >/dev/full' "$VOCALGRAD" "$spec"
item=$("$VOCALGRAD" plan -q "$spec" | sed -n 2p | cut -f 11)
ln -s /dev/full full.flac
expect_exit 5 "no regular file" "$VOCALGRAD" render "$spec" "$item" -o full.flac
expect "/dev/full is still a device" test -c /dev/full
mkfifo pipe.flac
expect_exit 5 "no regular file" "$VOCALGRAD" render "$spec" "$item" -o pipe.flac
: >file
expect_exit 5 "file" "$VOCALGRAD" build "$spec" -o file

# --- permissions, as somebody who is not root ----------------------------------------------------------------------
as=
[ "$root" = no ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 755 . && cp "$VOCALGRAD" program && chmod 755 program
mkdir -p house/tests/command house/specs closed && cp "$spec" house/tests/command && cp -r "$VG_TOP/specs/." house/specs && chmod -R a+rX house good
chmod 555 closed
# shellcheck disable=SC2086
{
    expect_exit 5 "Permission denied" $as ./program build house/tests/command/small.yaml -o closed/out
    cp -r good unreadable && chmod 000 "unreadable/$name"
    expect_exit 5 "Permission denied" $as ./program verify "unreadable/$name"
    mkdir -m 777 open && mkdir -m 000 dark
    expect_exit 0 "goes on without" $as ./program build house/tests/command/small.yaml -o open --cache dark
    whole open
    chmod 755 "unreadable/$name" && chmod 000 "unreadable/$name/manifest.jsonl"
    expect_exit 5 "manifest.jsonl" $as ./program verify "unreadable/$name"
}
chmod -R u+rwX unreadable

# --- two builds into one folder ------------------------------------------------------------------------------------
"$VOCALGRAD" build -q "$VG_TOP/specs/voice.yaml" -o both -j1 >log 2>&1 &
pid=$!
until [ -e both/vocalgrad-voice-1.0.0.tmp/manifest.rows.tmp ] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
expect_exit 5 "another build is writing here" "$VOCALGRAD" build "$VG_TOP/specs/voice.yaml" -o both -j1
expect "the first goes on" kill -0 "$pid"
kill -INT "$pid"
wait "$pid"

# --- memory --------------------------------------------------------------------------------------------------------
# Every exit must be one of ours (5 as a rule; a library may say its own part), and told; never a crash.
if [ "${VG_SANITIZED:-0}" != 1 ] && [ -n "${VG_FAILING:-}" ]; then
    for at in 1 2 3 5 9 17 40 90 150 220 300 400 600 900 1500 2500 4000 6000 9000 14000 20000 30000; do
        VG_FAIL_AT=$at LD_PRELOAD=$VG_FAILING "$VOCALGRAD" build -q "$spec" -o starved -j2 >log 2>&1
        code=$?
        case $code in
        0) whole starved; rm -rf starved; break ;;
        1 | 2 | 3 | 4 | 5) expect "memory out at request $at is told" test -s log ;;
        *) expect "memory out at request $at: exit $code" false; head -n 3 log ;;
        esac
        nothing starved
    done
    for at in 10 400 1000; do # --- a worker that dies ---
        VG_DIE_AT=$at LD_PRELOAD=$VG_FAILING "$VOCALGRAD" build -q "$spec" -o died -j2 >log 2>&1
        code=$?
        expect "a worker dies at request $at: exit $code" test "$code" -gt 128
        expect "it is told, and how to go on" grep -q "crashed.*the same command" log
        nothing died
        expect "and then it builds" "$VOCALGRAD" build -q "$spec" -o died
        whole died
        rm -rf died
    done
    expect_exit 5 "out of memory" env VG_FAIL_AT=2500 LD_PRELOAD="$VG_FAILING" "$VOCALGRAD" build -q "$spec" -o starved
    expect "and then it builds" "$VOCALGRAD" build -q "$spec" -o starved
    whole starved
fi
finish
