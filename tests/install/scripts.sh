#!/usr/bin/env bash
# scripts.sh SOURCE: what the scripts around the build do before they build, with stand-ins for the programs that would install, configure and
# build: packages that are missing, a clone that was copied, a compiler cache that cannot be written, help without a build, and a sweep on
# other machines.
set -u -o pipefail
source=$1
work=$(mktemp -d) || exit 1
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; cat "$work/said" >&2; exit 1; }
unset CCACHE_DIR XDG_CACHE_HOME STOWAGE_PACKAGES DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM CMAKE_BUILD_PARALLEL_LEVEL
export WORK=$work LC_ALL=C.UTF-8 HOME=$work/home MISSING="" BROKEN="" USER_NUMBER=1000

# Stand-ins, which write down how they were called. dpkg-query misses MISSING until apt-get installs it; apt-get has no BROKEN.
tree=$work/tree
mkdir -p "$work/bin" "$work/installed" "$work/home" "$tree/build"
cp -r "$source/app" "$tree/app"
stand_in() { { echo '#!/bin/bash'; cat; } >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
stand_in id <<'TEXT'
echo "$USER_NUMBER"
TEXT
stand_in sudo <<'TEXT'
echo "sudo $*" >>"$WORK/calls"
exit 1
TEXT
stand_in dpkg-query <<'TEXT'
for name in "$@"; do
    [[ $name != -* ]] || continue
    [[ " $MISSING " != *" $name "* || -e $WORK/installed/$name ]] && echo "installed $name"
done
exit 1
TEXT
stand_in apt-get <<'TEXT'
echo "apt-get $*" >>"$WORK/calls"
[[ " $* " == *" install "* ]] || exit 0
for name in "$@"; do [[ " $BROKEN " != *" $name "* ]] || exit 100; done
for name in "$@"; do [[ " $MISSING " != *" $name "* ]] || : >"$WORK/installed/$name"; done
TEXT
stand_in cmake <<'TEXT'
echo "cmake $*" >>"$WORK/calls"
exit "${CMAKE_STATUS:-0}"
TEXT
stand_in ninja <<'TEXT'
echo "ninja: no work to do."
TEXT
stand_in ccache </dev/null
stand_in parallel <<'TEXT'
printf '%s\n' "$@"
TEXT
export PATH=$work/bin:$PATH

# in_setup COMMANDS: runs them with app/setup.sh of the tree; what they say is in $work/said.
in_setup() { : >"$work/calls"; bash -c "set -u -o pipefail; root=\$1; . \"\$root/app/setup.sh\"; $1" bash "$tree" >"$work/said" 2>&1 </dev/null; }
says() { grep -qF -- "$1" "$work/said" || fail "$2: '$1' is not said"; }
calls() { grep -qF -- "$1" "$work/calls"; }
clean() { rm -rf "$tree/build" "$work"/installed/*; mkdir -p "$tree/build"; }

# Slurm is optional, CMake is not.
MISSING="slurm-wlm"
in_setup 'need_packages tests; say went on' || fail "a missing optional package stops"
says "slurm-wlm" "a missing optional package"
says "went on" "a missing optional package"
clean
# Who may not install is asked for a password once, however many are missing.
MISSING="parallel slurm-wlm"
in_setup 'need_packages tests; say went on' || fail "two missing optional packages stop"
[ "$(grep -c '^sudo' "$work/calls")" = 1 ] || fail "sudo is called more than once"
clean
MISSING="cmake slurm-wlm"
in_setup 'need_packages tests; say went on'
[ $? = 2 ] || fail "a missing required package does not stop with status 2"
says "cmake" "a missing required package"
says "STOWAGE_PACKAGES=skip" "a missing required package"
STOWAGE_PACKAGES=skip in_setup 'need_packages tests; say went on' || fail "STOWAGE_PACKAGES=skip looks for packages"
clean
# One optional package that is in no list keeps nothing else out, and is not asked for at each start.
USER_NUMBER=0 MISSING="cmake parallel slurm-wlm" BROKEN="slurm-wlm"
in_setup 'need_packages tests; say went on' || fail "an optional package that is in no list stops"
for name in cmake parallel; do [ -e "$work/installed/$name" ] || fail "$name is not installed"; done
says "optional packages, which could not be installed (app/packages.txt says what for): slurm-wlm" "an optional package that is in no list"
in_setup 'need_packages tests; say went on' || fail "the second start stops"
says "slurm-wlm" "the second start"
! calls "apt-get" || fail "the second start tries again what could not be installed"
USER_NUMBER=1000 MISSING="" BROKEN=""
clean

# The build folder of a copied clone belongs to the other one.
configured() { echo "CMAKE_HOME_DIRECTORY:INTERNAL=$1" >"$tree/build/CMakeCache.txt"; : >"$tree/build/build.ninja"; }
mkdir "$work/other"
for home in "$work/other" "$work/moved away"; do
    configured "$home"
    in_setup 'build_preset release build' || fail "a copied clone is not built"
    says "$home" "a copied clone"
    calls "cmake --preset release" || fail "a copied clone is not configured anew"
done
configured "$work/other"
! CMAKE_STATUS=1 in_setup 'build_preset release build' || fail "a configuration that fails is none"
in_setup 'build_preset release build' || fail "a copied clone is not built the second time"
calls "cmake --preset release" || fail "a copied clone is not configured again after that failed"
clean
ln -s "$tree" "$work/link"
for home in "$tree" "$work/link"; do
    configured "$home"
    in_setup 'build_preset release build' || fail "a configured clone is not built"
    ! calls "cmake" || fail "a configured clone is configured again"
done
clean
in_setup 'build_preset release build' || fail "a fresh clone is not built"
grep -qx "cmake --preset release" "$work/calls" || fail "a fresh clone is not configured, or not as usual"

# A home that is a file: nobody can make a folder in it.
: >"$work/no-home"
HOME=$work/no-home in_setup 'need_compiler_cache; say "cache: ${CCACHE_DIR:-}"' || fail "no compiler cache is found"
says "$work/no-home/.cache/ccache cannot be written" "no place for the compiler cache"
says "cache: $tree/build/ccache" "no place for the compiler cache"
[ -d "$tree/build/ccache" ] || fail "the compiler cache of the build folder is not there"
CCACHE_DIR=$work/no-home/cache in_setup 'need_compiler_cache; say "cache: $CCACHE_DIR"' || fail "no compiler cache is found"
says "cache: $tree/build/ccache" "a compiler cache that cannot be written"
in_setup 'need_compiler_cache; say "cache: ${CCACHE_DIR:-as usual}"' || fail "the usual compiler cache is not taken"
says "cache: as usual" "a home that can be written"

# Help, the comparison of claims with the README, and a mistyped name need neither packages nor a build.
MISSING="cmake"
: >"$work/calls"
for option in -h --help; do
    (cd "$work" && bash "$tree/app/run.sh" "$option") >"$work/said" 2>&1 || fail "app/run.sh $option"
    says "usage: ./app/run.sh [FILE…]" "app/run.sh $option"
    bash "$source/tests/bench/run.sh" "$option" >"$work/said" 2>&1 || fail "tests/bench/run.sh $option"
    says "--only" "tests/bench/run.sh $option"
done
bash "$source/tests/bench/run.sh" --check >"$work/said" 2>&1 || fail "tests/bench/run.sh --check"
: >"$work/there.csv"
(cd "$work" && bash "$tree/app/run.sh" there.csv "not there.csv") >"$work/said" 2>&1
[ $? = 2 ] || fail "a mistyped name has another status than 2"
says "not there.csv cannot be read" "a mistyped name"
[ ! -s "$work/calls" ] || fail "something was installed or configured: $(cat "$work/calls")"

# Jobs on other machines start in other folders.
(cd "$work" && sh "$source/resources/cluster/sweep.parallel" "a zoo.json" /shared/results 2 --sshlogin host) >"$work/said" 2>&1 || fail "sweep.parallel"
[ "$(tr '\n' '|' <"$work/said")" = "-q|--sshlogin|host|stowage-cli|sweep|$work/a zoo.json|--out|/shared/results|--shard|{}/2|" ] || fail "paths of sweep.parallel"
(cd "$work" && sh "$source/resources/cluster/sweep.parallel" zoo.json results) >"$work/said" 2>&1
[ $? = 2 ] || fail "sweep.parallel takes two arguments"
says "usage: sweep.parallel" "sweep.parallel with two arguments"
echo "The scripts do what they say."
