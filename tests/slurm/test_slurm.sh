#!/bin/sh
# SPDX-License-Identifier: MIT
# A release built by a real Slurm: munged, slurmctld and two slurmd on this machine, all of them the test's own.
# One task is killed in flight and run again alone; the merged release is the single build's.  As root.
. "$(dirname -- "$0")/../command/lib.sh"
spec=$VG_TOP/tests/slurm/slurm.yaml
name=vocalgrad-slurm-0.1.0
parts=4
export VOCALGRAD SLURM_CONF="$work/slurm.conf"
daemons=

stop() {
    for pid in $daemons; do kill "$pid" 2>/dev/null; done
    for pid in $daemons; do wait "$pid" 2>/dev/null; done
    rm -rf "$work"
}
trap stop EXIT

# --- the cluster ------------------------------------------------------------------------------------------
# Ports that are free now; nobody else on this machine is expected to take them meanwhile.
ports=$(python3 -c '
import socket
held = [socket.socket() for _ in range(3)]
for s in held: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in held])')
# shellcheck disable=SC2086
set -- $ports
cat >slurm.conf <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$1
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=one NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$2 CPUs=1 State=UNKNOWN
NodeName=two NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$3 CPUs=1 State=UNKNOWN
PartitionName=all Nodes=one,two Default=YES MaxTime=INFINITE State=UP
CONF
chmod 755 "$work"
mkdir state spool-one spool-two
dd if=/dev/urandom of=munge.key bs=128 count=1 2>/dev/null && chmod 400 munge.key
munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
    --log-file="$work/munge.log" --seed-file="$work/munge.seed" >munged.log 2>&1 &
daemons="$daemons $!"
slurmctld -D -f "$SLURM_CONF" >slurmctld.log 2>&1 &
daemons="$daemons $!"
for node in one two; do
    slurmd -D -N "$node" -f "$SLURM_CONF" >"slurmd-$node.log" 2>&1 &
    daemons="$daemons $!"
done

# until_true SECONDS COMMAND...: wait for it.
until_true() {
    tries=$(($1 * 5))
    shift
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.2
    done
}
both_idle() { test "$(sinfo -h -N -o '%t')" = "idle
idle"; }
expect "two nodes that Slurm has ready" until_true 60 both_idle
if [ "$failed" -gt 0 ]; then
    tail -n 15 munged.log slurmctld.log slurmd-*.log
    finish
    exit 1
fi

# --- the array, one task killed ---------------------------------------------------------------------------
queue_empty() { test -z "$(squeue -h -j "$1" 2>/dev/null)"; }
part() { printf 'out/%s.part-%05d-of-%05d' "$name" "$1" "$parts"; }
in_flight() { test -d "$(part 2).tmp"; }

expect "a single build" "$VOCALGRAD" build -q "$spec" -o single
job=$(sbatch --parsable --chdir="$work" --export=ALL --array=1-$parts "$VG_TOP/ci/slurm/build" "$spec" out)
expect "part 2 begins" until_true 60 in_flight
expect "and is killed" scancel --signal=KILL --full "${job}_2"
expect "the array ends" until_true 120 queue_empty "$job"
for i in 1 3 4; do expect "part $i is there" test -d "$(part $i)"; done
expect "nothing has part 2's final name" test ! -e "$(part 2)"
expect_exit 1 "part 2 of $parts is missing" "$VG_TOP/ci/slurm/merge" out

# --- that task alone, then the merge as a job that waits for it -------------------------------------------
again=$(sbatch --parsable --chdir="$work" --export=ALL --array=2 "$VG_TOP/ci/slurm/build" "$spec" out $parts)
last=$(sbatch --parsable --chdir="$work" --export=ALL --dependency="afterok:$again" "$VG_TOP/ci/slurm/merge" out)
expect "the merge ends" until_true 120 queue_empty "$last"
expect "part 2 is there" test -d "$(part 2)"
expect "the merged release is the single build's" diff -r "single/$name" "out/$name"
expect "and verifies" "$VOCALGRAD" verify -q "out/$name"
sed -n 's/.*"release_id":"\([0-9a-f]*\)".*/release id \1/p' "single/$name/release.json" "out/$name/release.json"
[ "$failed" -eq 0 ] || tail -n 5 vocalgrad-*.log slurmctld.log
finish
