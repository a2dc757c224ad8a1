#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the corpora, once: real recordings out of Debian packages, and hostile files made of them.
. "${VG_TOP:?the checkout}/tests/corpora/lib.sh"

mkdir -p "$corpora"
exec 9>"$corpora/.lock"
flock 9 # builds of several presets may want them at once
if [ ! -e "$corpora/hostile/INDEX.tsv" ]; then # the last thing to be written
    set -- /var/lib/apt/lists/*Packages*
    [ -e "$1" ] || apt-get -qq update
    MAKE_HOME=$corpora "$VG_SHARED/corpora/make.sh" commonvoice loquacious vctk hostile >make.log 2>&1 || cat make.log
fi
expect "hostile cases" test -e "$corpora/hostile/INDEX.tsv"
expect "Common Voice" test -e "$scripted/en/validated.tsv"
expect "Spontaneous Speech" test -e "$spontaneous-cs/ss-corpus-cs.tsv"
expect "Loquacious" test -e "$corpora/loquacious/largescaleasr_test.csv"
expect "VCTK" test -e "$corpora/vctk/speaker-info.txt"
finish
