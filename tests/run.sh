#!/usr/bin/env bash
# ./tests/run.sh: installs what is missing, builds everything, runs all tests without a display, and prints a summary.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/app/setup.sh"

usage() {
    cat <<TEXT
usage: ./tests/run.sh [--require-shared] [--sanitizers] [-- CTEST-OPTIONS…]
  --require-shared  fail where ../shared (reference models and figures) is absent, instead of skipping what needs it
  --sanitizers      also build and test with AddressSanitizer, UBSan and ThreadSanitizer (without the window), and fuzz the readers
                    for ${STOWAGE_FUZZ_SECONDS:-20} seconds each (STOWAGE_FUZZ_SECONDS)
  -- …              handed to ctest: -R NAME, -j N, …
Exit status: 0 everything passed, 1 something failed, 2 set-up or usage.
TEXT
}

sanitizers=0
while [ $# -gt 0 ]; do
    case $1 in
    --require-shared)
        export STOWAGE_REQUIRE_SHARED=1
        [ -d "${STOWAGE_SHARED_DIR:-$root/../shared}" ] ||
            die "--require-shared: there is no folder 'shared' beside $root. Put it there, or name it in STOWAGE_SHARED_DIR." 1
        ;;
    --sanitizers) sanitizers=1 ;;
    -h | --help) usage; exit 0 ;;
    --) shift; break ;;
    *) say "Unknown option: $1"; usage >&2; exit 2 ;;
    esac
    shift
done
ctest_options=("$@")

export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
unset DISPLAY WAYLAND_DISPLAY
failed=()

# run_tests NAME FOLDER: everything that is registered there. Skipped test functions are named: a skip is never silent.
run_tests() {
    local name=$1 folder=$2
    shift 2
    say "Testing $folder …"
    local log=$folder/Testing/Temporary/LastTest.log
    ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$(nproc)" "$@" || failed+=("$name")
    local skipped
    skipped=$(grep -h '^SKIP  *:' "$log" 2>/dev/null | sed 's/^SKIP  *: *//' | sort -u)
    if [ -n "$skipped" ]; then
        echo "Skipped in $folder:"
        printf '%s\n' "$skipped" | sed 's/^/  /'
    fi
}

if [ "$sanitizers" = 1 ]; then need_packages sanitizers; else need_packages; fi
cd "$root" || exit
build_preset release build
run_tests release build "${ctest_options[@]}"

if [ "$sanitizers" = 1 ]; then
    # Qt and the libraries below it leak and race by design of their own; what is ours must not.
    export ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
    export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
    build_preset asan build-asan
    run_tests asan build-asan "${ctest_options[@]}"
    build_preset tsan build-tsan
    run_tests tsan build-tsan "${ctest_options[@]}"
    build_preset fuzz build-fuzz
    for target in build-fuzz/bin/fuzz-*; do
        [ -x "$target" ] || die "No fuzz target was built in build-fuzz/bin."
        say "Fuzzing with $target …"
        corpus=build-fuzz/corpus/$(basename "$target")
        mkdir -p "$corpus"
        "$target" -max_total_time="${STOWAGE_FUZZ_SECONDS:-20}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 -verbosity=0 \
            -artifact_prefix="$corpus/../" "$corpus" || failed+=("$(basename "$target")")
    done
fi

if [ ${#failed[@]} -gt 0 ]; then
    echo "FAILED: ${failed[*]}"
    exit 1
fi
echo "All tests passed."
