#!/usr/bin/env bash
# make_wheel.sh BUILD FOLDER: puts the module, its adapters and the two libraries into FOLDER in the shape of a wheel, unpacked: what
# `pip install` would unpack, importable with PYTHONPATH=FOLDER. Needs neither pip nor a network. With `zip` at hand the wheel itself is
# written beside it.
set -eu -o pipefail
[ $# = 2 ] || { echo "usage: make_wheel.sh BUILD FOLDER" >&2; exit 2; }
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
tag=py3-none-linux_$(uname -m)

cp -r "$source/stowage" "$source/stowage_executorch.py" "$source/stowage_minimalloc.py" "$folder"
rm -rf "$folder/stowage/__pycache__"
cp -L "$build/lib/libstowage.so.1" "$folder/stowage/"
core=$(readelf -d "$build/lib/libstowage.so.1" | sed -n 's/.*NEEDED.*\[\(libstowage-core[^]]*\)\]/\1/p')
cp -L "$build/lib/$core" "$folder/stowage/"

info=$folder/stowage-$version.dist-info
mkdir -p "$info"
printf 'Metadata-Version: 2.1\nName: stowage\nVersion: %s\nSummary: Static memory planning\nLicense: MIT\nRequires-Python: >=3.9\n' "$version" >"$info/METADATA"
printf 'Wheel-Version: 1.0\nGenerator: stowage\nRoot-Is-Purelib: false\nTag: %s\n' "$tag" >"$info/WHEEL"
printf 'stowage\nstowage_executorch\nstowage_minimalloc\n' >"$info/top_level.txt"
python3 - "$folder" "stowage-$version.dist-info/RECORD" <<'TEXT'
import base64, hashlib, pathlib, sys

folder, record = pathlib.Path(sys.argv[1]), sys.argv[2]
lines = []
for file in sorted(folder.rglob("*")):
    name = file.relative_to(folder).as_posix()
    if file.is_file() and name != record:
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{file.stat().st_size}\n")
(folder / record).write_text("".join(lines) + f"{record},,\n")
TEXT
if command -v zip >/dev/null; then
    wheel=$(dirname "$folder")/stowage-$version-$tag.whl
    rm -f "$wheel"
    (cd "$folder" && zip -q -r "$wheel" .)
    echo "$wheel"
fi
echo "$folder"
