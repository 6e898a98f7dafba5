#!/usr/bin/env bash
# install.sh BUILD SOURCE: the Debian packages unpack into an empty prefix and work there: the command line plans, the worker reads a
# model, the example is built against the installed headers and plans, a foreign project runs a regression suite by CTest, a C++ program
# links the core by CMake and a C program the library by pkg-config, Python imports, and the window starts.
set -u -o pipefail
build=$1 source=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }

command -v dpkg-shlibdeps >/dev/null || { echo "SKIPPED: dpkg-dev is not installed"; exit 77; }
unset STOWAGE_LIBRARY STOWAGE_RESOURCES STOWAGE_PLUGIN_PATH PYTHONPATH LD_LIBRARY_PATH DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data HOME=$work QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 CCACHE_DISABLE=

(cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/cpack.log" 2>&1) || { cat "$work/cpack.log" >&2; fail "cpack"; }
for name in stowage libstowage-dev python3-stowage; do
    package=$(echo "$work"/packages/"${name}"_*.deb)
    [ -f "$package" ] || fail "there is no package $name"
    dpkg-deb -x "$package" "$work/root" || fail "unpacking $name"
done
dpkg-deb -f "$work"/packages/stowage_*.deb Depends | grep -q libqt6core6 || fail "the package names no libraries that it needs"
[ "$(dpkg-deb -f "$work"/packages/python3-stowage_*.deb Architecture)" = all ] || fail "the Python package is not for all machines"
prefix=$work/root/usr

for file in bin/stowage bin/stowage-cli bin/stowage-worker share/applications/stowage.desktop share/mime/packages/stowage.xml \
    share/icons/hicolor/scalable/apps/stowage.svg share/man/man1/stowage.1 share/man/man1/stowage-cli.1 \
    share/bash-completion/completions/stowage-cli share/stowage/targets/cortex-m7.json share/stowage/samples/planners.d/first-fit-py.json \
    lib/stowage/plugins/libstowage-tflite.so include/stowage.h include/stowage/plugins/api/plugin.h lib/pkgconfig/stowage.pc \
    lib/cmake/stowage/stowageConfig.cmake lib/python3/dist-packages/stowage/__init__.py; do
    [ -e "$prefix/$file" ] || [ -e "$prefix/$file.gz" ] || fail "$file is in no package"
done
for script in sweep.parallel sweep.slurm; do
    [ -x "$prefix/share/stowage/cluster/$script" ] || fail "share/stowage/cluster/$script is absent, or may not be run"
done
[ ! -e "$prefix/share/stowage/guide/pictures.cmake" ] || fail "a part of the build is in the guide"
# Nothing of it may come from the build folder, the command line is without Qt Widgets, and only the window needs Qt Charts, as the README
# says under "Licence".
for file in "$prefix"/bin/* "$prefix"/lib/*.so "$prefix"/lib/stowage/plugins/*.so "$prefix"/lib/stowage/*.so; do
    [ -e "$file" ] || continue
    ldd "$file" >"$work/libraries"
    grep -q "not found" "$work/libraries" && fail "$file misses a library: $(grep 'not found' "$work/libraries")"
    grep -qF "$build/" "$work/libraries" && fail "$file loads a library of the build folder"
    [ "$file" = "$prefix/bin/stowage" ] || ! grep -q Qt6Charts "$work/libraries" || fail "$file needs Qt Charts"
done
ldd "$prefix/bin/stowage" >"$work/libraries"
grep -q Qt6Charts "$work/libraries" || fail "the window does not need Qt Charts: its licence is told wrongly"
for words in "GNU General Public License, version 3" "Permission is hereby granted, free of charge"; do
    grep -qF "$words" "$prefix/share/doc/stowage/copyright" || fail "the copyright of the package does not say '$words'"
done
dpkg-deb -f "$work"/packages/stowage_*.deb Recommends | grep -q qt6-wayland || fail "the package does not recommend Qt's platform for Wayland"
ldd "$prefix/bin/stowage-cli" >"$work/libraries"
grep -q "$work/root" "$work/libraries" || fail "stowage-cli does not load the installed core"
grep -q Qt6Widgets "$work/libraries" && fail "stowage-cli needs Qt Widgets"
if command -v desktop-file-validate >/dev/null; then desktop-file-validate "$prefix/share/applications/stowage.desktop" || fail "desktop file"; fi
if command -v xmllint >/dev/null; then xmllint --noout "$prefix/share/mime/packages/stowage.xml" || fail "MIME types"; fi
# The desktop entry opens sessions, and each type of its own is defined.
types=$(sed -n 's/^MimeType=//p' "$prefix/share/applications/stowage.desktop")
for type in ${types//;/ }; do
    case $type in text/csv | application/json) continue ;; esac
    grep -qF "<mime-type type=\"$type\">" "$prefix/share/mime/packages/stowage.xml" || fail "the type $type of the desktop entry is not defined"
done
[[ $types == *x-stowage-session* ]] && grep -qF 'pattern="*.stow"' "$prefix/share/mime/packages/stowage.xml" || fail "no type for sessions"
for word in PyTorch ExecuTorch XLA IREE "upstream dialects" DSA "\*.stow"; do
    grep -q "$word" "$source/resources/package/stowage.1" || fail "the manual of the window does not name $word"
done

# Every command has its place in the manual.
"$prefix/bin/stowage-cli" --help | awk '/^Subcommands:/ {on = 1; next} on && /^  [a-z]/ {print $1}' >"$work/commands"
[ -s "$work/commands" ] || fail "--help lists no commands"
while read -r command; do
    grep -qx ".B $command" "$source/resources/package/stowage-cli.1" || fail "the manual does not know the command $command"
done <"$work/commands"
# The completion knows them from the program.
(
    PATH=$prefix/bin:$PATH
    . "$prefix/share/bash-completion/completions/stowage-cli"
    COMP_WORDS=(stowage-cli plug) COMP_CWORD=1
    _stowage_cli
    [ "${COMPREPLY[*]}" = plugin-check ] || exit 1
    COMP_WORDS=(stowage-cli E) COMP_CWORD=1 # a word below the list of the commands
    _stowage_cli
    [ "${COMPREPLY[*]}" = "" ] || exit 1
    COMP_WORDS=(stowage-cli pipeline s) COMP_CWORD=2
    _stowage_cli
    [ "${COMPREPLY[*]}" = "split simulate" ]
) || fail "completion"

sample=$prefix/share/stowage/samples/mobilenet_v1_025.json
"$prefix/bin/stowage-cli" plan "$sample" --planner exact >"$work/plan" || fail "the installed command line does not plan"
"$prefix/bin/stowage-cli" plan "$prefix/share/stowage/samples/unified_planning.tir" >"$work/plan" || fail "the installed worker does not read a model"
if [ -e "$build/lib/stowage/libstowage-mlir-reader.so" ]; then
    "$prefix/bin/stowage-cli" fold "$prefix/share/stowage/samples/fold_three_weights.mlir" | grep -q "saves 3 ops" || fail "the installed worker does not read MLIR"
fi
"$prefix/bin/stowage-cli" list targets | grep -q cortex-m7 || fail "the installed command line finds no targets"
"$prefix/bin/stowage-cli" list plugins --format csv | grep -q '^usable,org.stowage.tflite' || fail "the installed command line finds no readers"

# Every installed header compiles; that of plug-ins needs Qt, and the example has it. The list of codes is a part of code.h.
(cd "$prefix/include/stowage" && find . -name '*.h' ! -path ./plugins/api/plugin.h ! -name code_list.h -printf '#include "%P"\n') | sort >"$work/headers.cpp"
[ "$(wc -l <"$work/headers.cpp")" -gt 50 ] || fail "there are hardly any headers"
c++ -std=c++20 -fsyntax-only -I"$prefix/include/stowage" "$work/headers.cpp" || fail "an installed header does not compile"

# The example, from its own folder, against the installed headers.
[ "$(wc -l <"$prefix/share/doc/libstowage-dev/example/example_planner.cpp")" -lt 100 ] || fail "the example has 100 lines or more"
cp -r "$prefix/share/doc/libstowage-dev/example" "$work/example"
cmake -S "$work/example" -B "$work/example/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1 &&
    cmake --build "$work/example/build" >>"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the example does not build"; }
"$prefix/bin/stowage-cli" compare "$sample" --planners exact,plugins --plugin-dir "$work/example/build" --format csv >"$work/table" || fail "the example does not plan"
grep -q ',tallest-first,' "$work/table" || { cat "$work/table" >&2; fail "the example is not in the comparison"; }
"$prefix/bin/stowage-cli" plugin-check "$work/example/build/example_planner.so" >"$work/check" || { cat "$work/check" >&2; fail "plugin-check of the example"; }
# Metadata for another API version are told when the plug-in is configured.
cp "$work/example/example_planner.json" "$work/example/planner.json"
sed -i 's/"apiVersion": [0-9]*/"apiVersion": 4/' "$work/example/example_planner.json"
cmake -S "$work/example" -B "$work/example/build" >"$work/log" 2>&1 && fail "metadata for another API version are taken"
grep -q apiVersion "$work/log" || { cat "$work/log" >&2; fail "what is wrong with the metadata is not said"; }
# A JSON file that the source does not name is none of them.
sed -i 's/FILE "example_planner.json"/FILE "planner.json"/' "$work/example/example_planner.cpp"
cmake -S "$work/example" -B "$work/example/build" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "a file that the source does not name is taken for metadata"; }
sed -i 's/"apiVersion": [0-9]*/"apiVersion": 4/' "$work/example/planner.json"
cmake -S "$work/example" -B "$work/example/build" >"$work/log" 2>&1 && fail "metadata of another name are not read"

# A project of others that keeps a regression suite, and runs it by CTest.
mkdir "$work/foreign"
cp "$sample" "$work/foreign/model.json"
echo '{"format": "stowage.suite/1", "name": "memory", "rows": [{"model": "model.json", "planners": ["greedy-by-size"]}]}' >"$work/foreign/memory.suite.json"
cat >"$work/foreign/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(foreign LANGUAGES NONE)
enable_testing()
find_program(STOWAGE_REGRESS stowage-regress REQUIRED)
add_test(NAME memory COMMAND ${STOWAGE_REGRESS} ${CMAKE_SOURCE_DIR}/memory.suite.json --require-baseline)
TEXT
"$prefix/bin/stowage-cli" regress "$work/foreign/memory.suite.json" --update >"$work/log" 2>&1
[ -s "$work/foreign/memory.baseline.json" ] || { cat "$work/log" >&2; fail "the installed command line writes no baseline"; }
cmake -S "$work/foreign" -B "$work/foreign/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "a foreign project finds no stowage-regress"; }
grep -q "STOWAGE_REGRESS:FILEPATH=$prefix/bin/stowage-regress" "$work/foreign/build/CMakeCache.txt" || fail "a foreign project finds another stowage-regress"
ctest --test-dir "$work/foreign/build" --output-on-failure >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "a foreign project's suite"; }
# A tensor of the model grows tenfold: that is a regression.
sed -i '/"conv0\/out"/s/\[1, 64, 64, 8\]/[1, 64, 64, 80]/' "$work/foreign/model.json"
cmp -s "$sample" "$work/foreign/model.json" && fail "the model did not grow"
ctest --test-dir "$work/foreign/build" --output-on-failure >"$work/log" 2>&1 && fail "a foreign project's suite passes although its model grew"
grep -q "worse: " "$work/log" || { cat "$work/log" >&2; fail "a foreign project does not hear that its model grew"; }

# A program in C++ that asks for no standard, and whose compiler takes an older one by itself, gets that of the headers.
mkdir "$work/library"
cat >"$work/library/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(library LANGUAGES CXX)
find_package(stowage REQUIRED)
add_executable(planned main.cpp)
target_link_libraries(planned PRIVATE stowage::core)
TEXT
cat >"$work/library/main.cpp" <<'TEXT'
#include "core/plan/bound.h"
#include <cstdio>
int main()
{
    stowage::Problem problem;
    problem.pools.push_back({.name = "arena"});
    stowage::Buffer buffer;
    buffer.name = "a";
    buffer.size = 48;
    buffer.live.push_back({0, 2});
    problem.buffers.push_back(buffer);
    std::printf("%d\n", static_cast<int>(stowage::lowerBound(problem, stowage::none).bytes));
}
TEXT
cmake -S "$work/library" -B "$work/library/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/library/build" >>"$work/log" 2>&1 || { cat "$work/log" >&2; fail "a C++ program does not build against stowage::core"; }
[ "$("$work/library/build/planned")" = 48 ] || fail "a C++ program finds another bound"

# A program in C, by pkg-config.
cat >"$work/program.c" <<'TEXT'
#include <stdio.h>
#include <stowage.h>
int main(void)
{
    stowage_problem *problem = stowage_problem_new("p");
    stowage_plan *plan = NULL;
    stowage_problem_add_live(problem, stowage_problem_add_buffer(problem, "a", 48, 16), 0, 2);
    if (stowage_plan_problem(problem, NULL, &plan) != STOWAGE_OK) return 1;
    printf("%d\n", (int)stowage_plan_size(plan));
    return 0;
}
TEXT
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
# shellcheck disable=SC2046
cc "$work/program.c" -o "$work/program" $(pkg-config --define-prefix --cflags --libs stowage) -Wl,-rpath,"$prefix/lib" || fail "a C program does not build"
[ "$("$work/program")" = 48 ] || fail "a C program does not plan"

(cd "$work" && PYTHONPATH=$prefix/lib/python3/dist-packages python3 -B -c '
import stowage
assert stowage.plan([stowage.Buffer("a", 48, live=[(0, 2)])]).size == 48') || fail "Python does not import the module"

"$source/resources/python/make_wheel.sh" "$build" "$work/wheel" >/dev/null || fail "the folder of the shape of a wheel is not made"
(cd "$work" && PYTHONPATH=$work/wheel python3 -B -c '
import pathlib, stowage, stowage._library
assert "wheel" in stowage._library.library._name, stowage._library.library._name
assert stowage.plan([stowage.Buffer("a", 48, live=[(0, 2)])]).size == 48') || fail "Python does not import the wheel"

"$prefix/bin/stowage" --measure-startup "$sample" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the window does not start"; }
echo "The packages work in an empty prefix."
