# SPDX-License-Identifier: MIT
# For the shell tests of the binary: $VOCALGRAD is the program, $VG_TOP the checkout.  Every expectation that
# fails is told; `finish` ends with the count.
# shellcheck shell=sh
set -u
: "${VOCALGRAD:?the program under test}" "${VG_TOP:?the checkout}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
passed=0
failed=0

# expect NAME COMMAND...: the command must succeed.
expect() {
    title=$1
    shift
    if "$@" >expect.log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $title: $*"
        sed 's/^/    /' expect.log | head -n 20
    fi
}

# expect_exit CODE PATTERN COMMAND...: the command must exit with CODE and say PATTERN (basic regex, any line).
expect_exit() {
    code=$1
    pattern=$2
    shift 2
    "$@" >expect.log 2>&1
    found=$?
    if [ "$found" -eq "$code" ] && grep -q -- "$pattern" expect.log; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: exit $found, expected $code with \"$pattern\": $*"
        sed 's/^/    /' expect.log | head -n 20
    fi
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
