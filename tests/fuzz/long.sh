#!/usr/bin/env bash
# ./tests/fuzz/long.sh: fuzzes for hours, and keeps what it has learnt for the next time.
#
# An input that broke a target becomes a test in the program of the subject, cut down to what matters and written as readable text, and not a
# file beside the fuzzer. Such tests are in tests/core/tst_problem_json.cpp ("a million slots", mistakesOfLoopsAndPoolsHaveAPlace),
# tests/core/tst_bound.cpp (noValidPlanIsBelowTheBound) and tests/cli/tst_cli_mlir.cpp ("op without a dialect").
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/app/setup.sh"
. "$root/tests/fuzz/seeds.sh"

usage() {
    cat <<TEXT
usage: ./tests/fuzz/long.sh [--minutes M] [TARGET…]
  --minutes M  time for each target (60)
  TARGET       csv, problem, tflite, …; all of them without any
Inputs that reach new code are kept in build-fuzz/long/TARGET and used again by the next run. What breaks a target is left in build-fuzz
as TARGET-crash-…, TARGET-timeout-… or TARGET-oom-…; make a test of it in the program of its subject.
Exit status: 0 nothing failed, 1 a target failed, 2 set-up or usage.
TEXT
}

minutes=60
targets=()
while [ $# -gt 0 ]; do
    case $1 in
    --minutes)
        [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || die "--minutes takes a whole number of minutes." 2
        minutes=$2
        shift
        ;;
    -h | --help) usage; exit 0 ;;
    -*) say "Unknown option: $1"; usage >&2; exit 2 ;;
    *) targets+=("$1") ;;
    esac
    shift
done

need_packages tests sanitizers
cd "$root" || exit
build_preset release build stowage-cli
build_preset fuzz build-fuzz stowage-fuzz-targets
fuzz_seeds build
if [ ${#targets[@]} -eq 0 ]; then
    for program in build-fuzz/bin/fuzz-*; do targets+=("${program##*/fuzz-}"); done
fi
failed=()
for name in "${targets[@]}"; do
    [ "$name" != defect ] || continue # it is there to fail
    program=build-fuzz/bin/fuzz-$name
    [ -x "$program" ] || die "There is no fuzz target $name." 2
    corpus=build-fuzz/long/$name
    mkdir -p "$corpus"
    options=(-max_total_time=$((minutes * 60)) -timeout=20 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 -reload=0)
    options+=(-artifact_prefix="build-fuzz/$name-" "$corpus")
    if [ -d "build-fuzz/seeds/$name" ]; then options+=(-dict=tests/fuzz/text.dict "build-fuzz/seeds/$name"); fi
    say "Fuzzing $name for $minutes minutes …"
    "$program" "${options[@]}" || failed+=("$name")
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "FAILED: ${failed[*]}"
    exit 1
fi
echo "Nothing failed in $minutes minutes a target."
