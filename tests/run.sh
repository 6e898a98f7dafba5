#!/usr/bin/env bash
# ./tests/run.sh: installs what is missing, builds everything, checks the format of the sources, runs clang-tidy on those that changed
# and all tests without a display, and prints a summary and how long that took.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/app/setup.sh"
. "$root/tests/fuzz/seeds.sh"

usage() {
    cat <<TEXT
usage: ./tests/run.sh [--require-shared] [--sanitizers] [--fuzz] [--tidy] [-- CTEST-OPTIONS…]
  --require-shared  fail where ../shared (reference models and figures) is absent, instead of skipping what needs it
  --sanitizers      only build and test with AddressSanitizer and UBSan, what has threads with ThreadSanitizer, and fuzz every target
                    with ${STOWAGE_FUZZ_RUNS:-20000} inputs (STOWAGE_FUZZ_RUNS)
  --fuzz            only fuzz, every target with ${STOWAGE_FUZZ_RUNS:-100000} inputs; also shows that a seeded defect is found
  --tidy            clang-tidy on every source, not only on those that differ from origin/main (or from the commit before)
  -- …              handed to ctest: -R NAME, -j N, …
Random tests always begin with the same seed; STOWAGE_SEED=N sets another one, STOWAGE_SEED=random draws it.
Exit status: 0 everything passed, 1 something failed, 2 set-up or usage.
TEXT
}

mode=plain
tidy=changed
while [ $# -gt 0 ]; do
    case $1 in
    --require-shared)
        export STOWAGE_REQUIRE_SHARED=1
        [ -d "${STOWAGE_SHARED_DIR:-$root/../shared}" ] ||
            die "--require-shared: there is no folder 'shared' beside $root. Put it there, or name it in STOWAGE_SHARED_DIR." 1
        ;;
    --sanitizers) mode=sanitizers ;;
    --fuzz) mode=fuzz ;;
    --tidy) tidy=all ;;
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

# took: the time since the packages were there.
took() {
    local seconds=$((SECONDS - begun))
    echo "$((seconds / 60)) min $((seconds % 60)) s"
}

# run_tests NAME FOLDER: everything that is registered there, one test more at a time than there are processors, as some only wait for
# processes. Skipped test functions are named: a skip is never silent.
run_tests() {
    local name=$1 folder=$2
    shift 2
    say "Testing $folder …"
    local log=$folder/Testing/Temporary/LastTest.log
    ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$(($(nproc) + 1))" "$@" || failed+=("$name")
    local skipped
    skipped=$(grep -h '^SKIP  *:' "$log" 2>/dev/null | sed 's/^SKIP  *: *//' | sort -u)
    if [ -n "$skipped" ]; then
        echo "Skipped in $folder:"
        printf '%s\n' "$skipped" | sed 's/^/  /'
    fi
}

# check_format: every source is as clang-format 14 writes it. Versions differ in what they write, so no other one counts.
check_format() {
    if ! clang-format --version 2>/dev/null | grep -q 'version 14\.' || ! git rev-parse --git-dir >/dev/null 2>&1; then
        echo "Skipped: the format of the sources, which needs clang-format 14 and a git checkout."
        return
    fi
    say "Checking the format of every source …"
    git ls-files -z -- '*.h' '*.cpp' '*.c' | xargs -0 -n 50 -P "$(nproc)" clang-format --dry-run -Werror || failed+=(format)
}

# sources_for_tidy: every source that the preset `tidy` compiles; or those of them that differ from where this branch left origin/main; on
# main itself, from the commit before.
sources_for_tidy() {
    local base folders=('core/*.cpp' 'app/*.cpp' 'plugins/*.cpp' 'tests/screenshot/*.cpp')
    if [ "$tidy" = all ]; then git ls-files -- "${folders[@]}"; return; fi
    base=$(git merge-base origin/main HEAD 2>/dev/null) || base=HEAD
    if [ "$(git rev-parse "$base")" = "$(git rev-parse HEAD)" ] && ! base=$(git rev-parse -q --verify HEAD~1); then
        say "Skipped: clang-tidy on changed sources: this clone has no commit before HEAD (git fetch --unshallow; --tidy checks all)."
        return 0
    fi
    git diff --name-only --diff-filter=d "$base" -- "${folders[@]}"
}

# tidy_units BUILD: reads full names of sources, and prints the files that clang-tidy has to read. A file is a source that compiles alone, or a
# unity source without the sources that were not named. Such files, and the commands of all, are in BUILD/tidy.
tidy_units() {
    local build=$1 folder=$1/tidy unit sources
    sources=$(cat)
    rm -rf "$folder"
    mkdir -p "$folder"
    sed "s|$build/\([^ \"]*/Unity/\)|$folder/\1|g" "$build/compile_commands.json" >"$folder/compile_commands.json"
    sed -n 's/^ *"file": "\(.*\)".*/\1/p' "$folder/compile_commands.json" | while read -r unit; do
        if [ "${unit#"$folder"/}" = "$unit" ]; then
            grep -qxF -- "$unit" <<<"$sources" || continue
        else
            mkdir -p "${unit%/*}"
            grep -xF "$(sed 's/.*/#include "&"/' <<<"$sources")" "$build/${unit#"$folder"/}" >"$unit" || continue
        fi
        printf '%s\n' "$unit"
    done
}

# run_tidy: clang-tidy on the changed sources, or on all, with the commands of the preset `tidy`, without building what they are linked with.
# Headers take most of the time, so one run reads several of more than 40 sources: 12 of the core take 11 s instead of 42 s, 6 pictures 11 s
# instead of 52 s. Up to 40 sources are read one by one, as clang does not tell which functions, constants, aliases and using-declarations at
# file scope nobody uses when another file includes the source.
run_tidy() {
    local sources units left_out build=$root/build-tidy options=()
    if ! command -v clang-tidy >/dev/null || ! command -v clang++ >/dev/null || ! git rev-parse --git-dir >/dev/null 2>&1; then
        echo "Skipped: clang-tidy, which needs the packages clang and clang-tidy, and a git checkout."
        return
    fi
    mapfile -t sources < <(sources_for_tidy)
    [ ${#sources[@]} -gt 0 ] || return 0
    if [ "$tidy" = changed ] && [ ${#sources[@]} -gt 100 ]; then
        echo "Skipped: clang-tidy on ${#sources[@]} changed sources, which would take longer than everything else (--tidy checks all)."
        return
    fi
    sources=("${sources[@]/#/$root/}")
    if [ ${#sources[@]} -gt 40 ]; then
        build=$root/build-tidy/unity
        options=(-B "$build" -D STOWAGE_UNITY=ON)
    fi
    forget_other_sources "$build"
    # The commands of generated headers run by themselves: ninja would first build the libraries that their targets are linked with.
    if ! cmake --preset tidy "${options[@]}" >/dev/null ||
        ! (ninja -C "$build" -t targets all | sed -n 's/^\([^/].*\.\(moc\|h\)\): CUSTOM_COMMAND$/\1/p' |
            xargs ninja -C "$build" -t commands -s | sh -e); then
        failed+=(tidy)
        return
    fi
    mapfile -t units < <(printf '%s\n' "${sources[@]}" | tidy_units "$build")
    left_out=$(printf '%s\n' "${sources[@]}" |
        grep -vxF "$(printf '%s\n' "${units[@]}" && sed -n 's/^#include "\(.*\)"$/\1/p' "${units[@]}" /dev/null)")
    [ -z "$left_out" ] || printf 'Skipped: clang-tidy on what the preset does not compile:\n%s\n' "$left_out"
    [ ${#units[@]} -gt 0 ] || return 0
    say "Running clang-tidy on ${#sources[@]} sources (${#units[@]} commands) …"
    printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$build/tidy" --quiet || failed+=(tidy)
}

# fuzz_one TARGET: one target for a bounded number of inputs, the same ones every time; it fails where it ran fewer. What breaks it is left in
# build-fuzz, as all that fuzzing writes. The seeded defect has to be found, or the harness finds nothing.
fuzz_one() {
    local target=$1 name=${1##*/fuzz-} corpus options
    if [ "$name" = defect ]; then
        rm -f build-fuzz/defect-crash-*
        ! "$target" -runs=2000000 -seed=1 -verbosity=0 -dict=tests/fuzz/text.dict -artifact_prefix=build-fuzz/defect- \
            >build-fuzz/defect.log 2>&1 && grep -q '^size,-9' build-fuzz/defect-crash-*
        return
    fi
    corpus=build-fuzz/corpus/$name
    rm -rf "$corpus"
    mkdir -p "$corpus"
    options=(-runs="${STOWAGE_FUZZ_RUNS:?}" -seed=1 -timeout=20 -rss_limit_mb=2048 -max_len=16384 -verbosity=0 -print_final_stats=1)
    options+=(-artifact_prefix="build-fuzz/$name-" "$corpus")
    if [ -d "build-fuzz/seeds/$name" ]; then options+=(-dict=tests/fuzz/text.dict "build-fuzz/seeds/$name"); fi
    "$target" "${options[@]}" >"build-fuzz/$name.log" 2>&1 &&
        awk -v wanted="$STOWAGE_FUZZ_RUNS" '/number_of_executed_units/ {run = $2} END {exit !(run >= wanted)}' "build-fuzz/$name.log"
}

# fuzz FOLDER CLI INPUTS: every target that was built in FOLDER, one a processor, with seeds from the command line that was built in CLI. The
# log of one that fails is printed.
fuzz() {
    local target name targets=("$1"/bin/fuzz-*)
    [ -e "${targets[0]}" ] || die "No fuzz target was built in $1/bin."
    fuzz_seeds "$2"
    rm -f build-fuzz/*.failed
    export -f fuzz_one
    export STOWAGE_FUZZ_RUNS=${STOWAGE_FUZZ_RUNS:-$3}
    say "Fuzzing ${#targets[@]} targets with $STOWAGE_FUZZ_RUNS inputs each, the slowest first …"
    printf '%s\n' "${targets[@]}" | awk '{print /mlir$/ ? 0 : /planners|tir|lowerings/ ? 1 : /onnx|pickle|hivm/ ? 2 : 3, $0}' |
        sort -s -k1,1n | cut -d' ' -f2 |
        xargs -P "$(nproc)" -I{} bash -c 'name=${1##*/fuzz-}; begun=$SECONDS
            fuzz_one "$1" || touch "build-fuzz/$name.failed"
            echo "fuzz-$name: $((SECONDS - begun)) s" >&2' _ {}
    for target in "${targets[@]}"; do
        name=${target##*/fuzz-}
        [ -e "build-fuzz/$name.failed" ] || continue
        if [ "$name" = defect ]; then
            failed+=("fuzz-defect: the seeded defect was not found")
        else
            tail -n 60 "build-fuzz/$name.log"
            failed+=("fuzz-$name")
        fi
    done
}

sanitize() {
    local supp=$root/tests/sanitizers
    export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1
    export LSAN_OPTIONS=suppressions=$supp/leaks.supp:print_suppressions=0
    export TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:second_deadlock_stack=1:suppressions=$supp/races.supp
    build_preset asan build-asan
    run_tests asan build-asan "${ctest_options[@]}"
    # What has threads in core, executor and host. The session hands its work to Qt's thread pool, which is not instrumented: nothing but
    # false alarms.
    build_preset tsan build-tsan stowage-tests-of-threads
    run_tests tsan build-tsan -L '^threads$' "${ctest_options[@]}"
    fuzz build-asan build-asan 20000
}

cd "$root" || exit
packages=(tests)
[ "$mode" = plain ] || packages+=(sanitizers)
need_packages "${packages[@]}"
begun=$SECONDS
case $mode in
fuzz)
    build_preset release build stowage-cli
    build_preset fuzz build-fuzz stowage-fuzz-targets
    fuzz build-fuzz build 100000
    ;;
sanitizers)
    sanitize
    ;;
plain)
    check_format
    build_preset release build
    run_tidy
    run_tests release build "${ctest_options[@]}"
    ;;
esac

if [ ${#failed[@]} -gt 0 ]; then
    echo "FAILED: ${failed[*]} (in $(took))"
    exit 1
fi
case $mode in
plain) echo "All tests passed, in $(took)." ;;
fuzz) echo "No target failed, and the seeded defect was found, in $(took)." ;;
sanitizers) echo "All tests passed under the sanitizers, no fuzz target failed, and the seeded defect was found, in $(took)." ;;
esac
