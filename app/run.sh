#!/usr/bin/env bash
# ./app/run.sh [FILE…]: installs what is missing, builds, and opens the files, or a sample, in the window. Without a display it plans
# them on the command line, prints the table, and writes a report and pictures instead. Does nothing twice: with no change it starts at once.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
here=$PWD
. "$root/app/setup.sh"

need_packages
build_preset release build stowage-programs
cd "$here" || exit

[ $# -gt 0 ] || set -- "$root/resources/samples/mobilenet_v1_025.json"

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ -n "${QT_QPA_PLATFORM:-}" ]; then
    say "Opening the window on $*"
    exec "$root/build/bin/stowage" "$@"
fi

say "There is no display here: planning on the command line, and writing a report and pictures instead of opening the window."
cli=$root/build/bin/stowage-cli
status=0
for file in "$@"; do
    "$cli" compare "$file" --planners all || status=$?
    name=$(basename "${file%.*}")
    folder=$root/build/report/$name
    mkdir -p "$folder"
    {
        printf '# %s\n\n' "$name"
        "$cli" info "$file" | sed 's/^/    /'
        printf '\n'
        "$cli" compare "$file" --planners all --format markdown
    } >"$folder/report.md" && say "Wrote $folder/report.md"
    for view in memory-map liveness usage heatmap; do
        picture=$folder/$view.png
        "$cli" render "$file" --view "$view" -o "$picture" && say "Drew $picture"
    done
done
exit "$status"
