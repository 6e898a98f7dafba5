#!/usr/bin/env bash
# runpath.sh BUILD: no program or library of the build folder has an empty element in its RUNPATH, which the loader takes for the current
# folder: a library of any folder in which a program is started would run in it.
set -u -o pipefail
build=$1
export LC_ALL=C
command -v readelf >/dev/null || { echo "SKIPPED: readelf (Debian package binutils) is not installed"; exit 77; }

looked=0 failed=0
while IFS= read -r -d '' file; do
    path=$(readelf -d "$file" 2>/dev/null | sed -nE 's/^.*\((RUNPATH|RPATH)\).*\[(.*)\]$/\2/p')
    [ -n "$path" ] || continue
    looked=$((looked + 1))
    [[ :$path: != *::* ]] || { echo "FAILED: $file looks for libraries in the current folder: '$path'" >&2; failed=1; }
done < <(find "$build/bin" "$build/lib" -type f -print0 && find "$build/tests" -maxdepth 1 -type f -print0)
[ "$looked" -gt 0 ] || { echo "FAILED: nothing in $build has a RUNPATH; is it built?" >&2; exit 1; }
[ "$failed" = 0 ] || exit 1
echo "None of $looked programs and libraries looks for libraries in the current folder."
