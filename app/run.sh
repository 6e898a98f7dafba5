#!/usr/bin/env bash
# ./app/run.sh [FILE…]: installs what is missing, builds, and opens the files in the window. Without a display it plans them on
# the command line and draws pictures instead. Does nothing twice: with no change it starts at once.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
here=$PWD
. "$root/app/setup.sh"

need_packages
build_preset release build stowage-programs
cd "$here" || exit

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ -n "${QT_QPA_PLATFORM:-}" ]; then
    exec "$root/build/bin/stowage" "$@"
fi

say "There is no display here: planning on the command line, and drawing pictures instead of opening the window."
cli=$root/build/bin/stowage-cli
pictures=$root/build/pictures
mkdir -p "$pictures"
[ $# -gt 0 ] || set -- "$root/resources/samples/mobilenet_v1_025.json"
status=0
for file in "$@"; do
    "$cli" compare "$file" --planners all || status=$?
    name=$(basename "${file%.*}")
    for view in memory-map liveness; do
        picture=$pictures/$name-$view.png
        "$cli" render "$file" --view "$view" -o "$picture" && say "Drew $picture"
    done
done
exit "$status"
