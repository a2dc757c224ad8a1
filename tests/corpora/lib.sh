# SPDX-License-Identifier: MIT
# For the tests on real corpora: $corpora is where they lie, $specs the specs for them.  Without the folder that
# knows how to make them a test is skipped; with it, it has to run.
# shellcheck shell=sh disable=SC2034
[ -d "${VG_SHARED:?the folder with the reference material}" ] || exit 77
. "${VG_TOP:?the checkout}/tests/command/lib.sh"
corpora=${VG_CORPORA:-$HOME/.cache/speech-corpora}
specs=$VG_TOP/specs/corpora
scripted=$corpora/commonvoice/cv-corpus-22.0-2025-06-20
spontaneous=$corpora/commonvoice/sps-corpus-4.0-2026-06-12

# spec FILE ENTRY...: a spec whose sources are these entries (YAML flow maps).
spec() {
    file=$1
    shift
    {
        printf 'extends: %s/specs/paper.yaml\nname: t\nversion: 1.0.0\ndescription: d\nlicense: CC0-1.0\n' "$VG_TOP"
        printf 'on_label: flag\nsplits:\n  test:\n    sources:\n'
        for entry in "$@"; do
            printf '      - %s\n' "$entry"
        done
    } >"$file"
}
