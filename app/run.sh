#!/usr/bin/env bash
# ./app/run.sh [FILE…]: installs what is missing, builds, and opens the files, or a sample, in the window. Without a display it plans
# them on the command line, prints the table, and writes a report and pictures instead. Does nothing twice: with no change it starts at once.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
here=$PWD
. "$root/app/setup.sh"

usage() {
    cat <<TEXT
usage: ./app/run.sh [FILE…]
Installs what is missing, builds, and opens the files, or a sample, in the window. Without a display it plans them on the command line and
writes a report and pictures into build/report. With STOWAGE_PACKAGES=skip no package is looked for or installed.
Exit status: 0 done, 1 the answer is no, or the build failed, 2 set-up, usage or input.
TEXT
}
case ${1:-} in -h | --help) usage; exit 0 ;; esac
for file in "$@"; do # a name that is mistyped is not worth a build
    [ -r "$file" ] || { say "$file cannot be read, so nothing was built. Is its name right? ./app/run.sh --help says what is taken."; exit 2; }
done

need_packages

# From a fresh clone the sample's first picture needs neither the readers of foreign formats nor the other program: they are built after it.
display=${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}
first=stowage-programs
if [ $# = 0 ]; then
    set -- "$root/resources/samples/mobilenet_v1_025.json"
    if [ -n "$display" ]; then first=stowage; else first=stowage-cli; fi
fi
build_preset release build "$first"

if [ -n "$display" ]; then
    say "Opening the window on $*"
    if is_built build stowage-programs; then
        cd "$here" || exit
        exec "$root/build/bin/stowage" "$@"
    fi
    (cd "$here" && exec "$root/build/bin/stowage" "$@") &
    window=$!
    say "Meanwhile the command line and the readers of foreign formats are built: start again to open more than CSV and JSON."
    build_preset release build stowage-programs
    wait "$window"
    exit
fi
cd "$here" || exit

say "There is no display here: planning on the command line, and writing a report and pictures instead of opening the window."
cli=$root/build/bin/stowage-cli
status=0
declare -A taken=()
for file in "$@"; do
    "$cli" compare "$file" --planners all || status=$?
    # Files of one name get a folder each: m.tflite, m.tflite-2.
    name=$(basename -- "$file")
    number=1
    folder=$root/build/report/$name
    while [ -n "${taken[$folder]:-}" ]; do
        number=$((number + 1))
        folder=$root/build/report/$name-$number
    done
    taken[$folder]=$file
    mkdir -p "$folder"
    if {
        printf '# %s\n\n' "$name"
        "$cli" info "$file" | sed 's/^/    /' || status=$?
        printf '\n'
        "$cli" compare "$file" --planners all --format markdown || status=$?
    } >"$folder/report.md"; then
        say "Wrote $folder/report.md"
    else
        status=1
    fi
    for view in memory-map liveness usage heatmap; do
        picture=$folder/$view.png
        if "$cli" render "$file" --view "$view" -o "$picture"; then say "Drew $picture"; else status=$?; fi
    done
done
build_preset release build stowage-programs
exit "$status"
