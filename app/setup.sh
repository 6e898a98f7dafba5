# Set-up that app/run.sh and tests/run.sh share; sourced, not run. Needs $root, the top folder of the project.

say() { printf '%s\n' "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }

# Packages of app/packages.txt: those without a section, and those of the sections named. An optional one has '?' after its name.
listed_packages() {
    local sections=" $* " section="" name rest
    while read -r name rest; do
        case "$name" in
        "" | "#"*) ;;
        "["*) section=${name//[\[\]]/} ;;
        *) if [ -z "$section" ] || [[ $sections == *" $section "* ]]; then echo "$name"; fi ;;
        esac
    done <"$root/app/packages.txt"
}

# missing_packages NAME…: those that are not installed.
missing_packages() {
    [ $# -gt 0 ] || return 0
    comm -13 <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort -u) \
        <(printf '%s\n' "$@" | sort -u)
}

# may_install: as root, or by sudo, which asks for a password once at most.
may_install() {
    [ "$(id -u)" != 0 ] || return 0
    [ -z "${may_not_install:-}" ] || return 1
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then return 0; fi
    may_not_install=1
    return 1
}

# install_packages NAME…: it fails where nothing may be installed, or where apt-get fails.
install_packages() {
    local become=()
    may_install || return 1
    [ "$(id -u)" = 0 ] || become=(sudo)
    say "Installing missing packages: $*"
    if [ -z "${package_lists_updated:-}" ]; then
        "${become[@]}" apt-get -q update >&2 || say "apt-get update failed; trying with the package lists as they are."
        package_lists_updated=1
    fi
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@" >&2
}

# Installs what is missing. Required packages that cannot be installed are named, and stop with status 2; optional ones are only named.
need_packages() {
    [ "${STOWAGE_PACKAGES:-}" != "skip" ] || return 0
    local name listed required=() optional=() untried=() left_out=$root/build/packages-left-out
    mapfile -t listed < <(listed_packages "$@")
    for name in "${listed[@]}"; do
        if [[ $name == *'?' ]]; then optional+=("${name%'?'}"); else required+=("$name"); fi
    done
    if ! command -v dpkg-query >/dev/null; then
        say "This is not a Debian machine. Install what matches these packages of Debian 12:"
        say "  ${required[*]}"
        say "These are optional; app/packages.txt says what for:"
        say "  ${optional[*]}"
        die "Then start again with STOWAGE_PACKAGES=skip." 2
    fi
    mapfile -t required < <(missing_packages "${required[@]}")
    mapfile -t optional < <(missing_packages "${optional[@]}")

    if [ ${#required[@]} -gt 0 ] && ! install_packages "${required[@]}"; then
        say "These packages are missing, and could not be installed here:"
        say "  ${required[*]}"
        say "As root: apt-get install --no-install-recommends ${required[*]}"
        die "Or start again with STOWAGE_PACKAGES=skip where they are there in another way: then no package is looked for." 2
    fi

    [ ${#optional[@]} -gt 0 ] || return 0
    for name in "${optional[@]}"; do # what was tried once is not tried at every start
        grep -qxF -- "$name" "$left_out" 2>/dev/null || untried+=("$name")
    done
    if [ ${#untried[@]} -gt 0 ] && ! install_packages "${untried[@]}" && [ ${#untried[@]} -gt 1 ]; then
        for name in "${untried[@]}"; do install_packages "$name"; done # one that is in no list keeps the others out
    fi
    mapfile -t optional < <(missing_packages "${optional[@]}")
    [ ${#optional[@]} -gt 0 ] || return 0
    mkdir -p "$root/build" && printf '%s\n' "${optional[@]}" >>"$left_out" && sort -u -o "$left_out" "$left_out"
    say "Going on without optional packages, which could not be installed (app/packages.txt says what for): ${optional[*]}"
    say "Delete $left_out to have that tried again."
}

# A compiler cache in a folder that cannot be written would fail every compilation: then it is in the build folder.
need_compiler_cache() {
    local folder probe
    command -v ccache >/dev/null || return 0
    folder=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/ccache}
    if mkdir -p "$folder" 2>/dev/null && probe=$(mktemp "$folder/probe.XXXXXX" 2>/dev/null); then
        rm -f "$probe"
        return 0
    fi
    export CCACHE_DIR=$root/build/ccache
    mkdir -p "$CCACHE_DIR"
    say "The compiler cache $folder cannot be written: it is in $CCACHE_DIR this time."
}

# is_built FOLDER TARGET…: there is nothing left to build.
is_built() { ninja -C "$@" -n 2>/dev/null | grep -q '^ninja: no work to do'; }

# configured_for FOLDER: the real path of the sources that FOLDER builds, or their path as it was where they are gone.
configured_for() {
    local home
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt" 2>/dev/null)
    if [ -d "$home" ]; then (cd "$home" && pwd -P); else printf '%s\n' "$home"; fi
}

# forget_other_sources FOLDER: the build folder of a copied clone belongs to the other one, and CMake refuses it. It is configured anew, also
# if that fails the first time.
forget_other_sources() {
    local home
    home=$(configured_for "$1")
    [ -n "$home" ] && [ "$home" != "$(pwd -P)" ] || return 0
    say "$1 belongs to the sources in $home: it is configured anew for those in $(pwd -P)."
    rm -rf "$1/CMakeCache.txt" "$1/CMakeFiles" "$1/build.ninja"
}

# build_preset PRESET FOLDER [TARGET…]: configures once, then builds. Silent when there is nothing to do.
build_preset() {
    local preset=$1 folder=$2 log
    shift 2
    cd "$root" || exit
    forget_other_sources "$folder"
    if [ ! -f "$folder/build.ninja" ]; then
        need_compiler_cache
        say "Configuring $folder …"
        log=$(cmake --preset "$preset" 2>&1) || { say "$log"; die "Configuring failed (see above)."; }
    fi
    local jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-}
    if [ -z "$jobs" ]; then # a compiler takes about a gigabyte
        local memory
        memory=$(awk '/MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null)
        jobs=$(nproc)
        if [ "${memory:-$jobs}" -lt "$jobs" ]; then jobs=$((memory > 0 ? memory : 1)); fi
    fi
    if ! is_built "$folder" "$@"; then
        need_compiler_cache
        say "Building in $folder …"
        ninja -C "$folder" -j "$jobs" "$@" >&2 || die "The build failed (see above)."
    fi
}
