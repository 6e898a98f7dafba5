#!/usr/bin/env bash
# ./tests/bench/run.sh [OPTIONS]: measures what the README claims and prints one table: claimed, measured, and whether it still holds.
# Exit status: 0 every claim holds, 1 one does not, or was not measured although ../shared is there, 2 set-up or usage. `--help` lists the
# options.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for argument in "$@"; do # nothing is measured
    case $argument in -h | --help | --check) exec python3 -B "$root/tests/bench/claims.py" "$@" ;; esac
done
. "$root/app/setup.sh"
need_packages
build_preset release build
exec python3 -B "$root/tests/bench/claims.py" --build "$root/build" "$@"
