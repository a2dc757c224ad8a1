#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh CASE.mjs: one test in a real Chromium.  playwright-core lies in build/browser (ci/test puts it there).
# Without it or without Chromium the test is left out (77); under CI=true that is a failure where Chromium is
# there.
set -u
: "${VOCALGRAD:?the program under test}" "${VG_TOP:?the checkout}" "${VG_SHOTS:?a folder for screenshots}"
VG_NODE=${VG_NODE:-$VG_TOP/build/browser}
VG_CHROMIUM=${VG_CHROMIUM:-/usr/bin/chromium}
export VG_NODE VG_CHROMIUM VG_SHOTS

missing=
command -v node >/dev/null || missing=node
[ -f "$VG_NODE/node_modules/playwright-core/package.json" ] || missing=${missing:-playwright-core}
[ -x "$VG_CHROMIUM" ] || missing=${missing:-chromium}
if [ -n "$missing" ]; then
    echo "$missing is not here; ci/test installs it"
    if [ -x "$VG_CHROMIUM" ] && [ "${CI:-}" = true ]; then
        exit 1
    fi
    exit 77
fi
exec node "$VG_TOP/tests/browser/$1"
