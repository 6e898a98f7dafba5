# Set-up that app/run.sh and tests/run.sh share; sourced, not run. Needs $root, the top folder of the project.

say() { printf '%s\n' "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }

# Packages of app/packages.txt: those without a section, and those of the sections named.
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

# Installs what is missing; with no way to do that, names it and stops with status 2.
need_packages() {
    [ "${STOWAGE_PACKAGES:-}" != "skip" ] || return 0
    local wanted missing
    mapfile -t wanted < <(listed_packages "$@")
    if ! command -v dpkg-query >/dev/null; then
        say "This is not a Debian machine. Install what matches these packages of Debian 12:"
        say "  ${wanted[*]}"
        die "Then start again with STOWAGE_PACKAGES=skip." 2
    fi
    mapfile -t missing < <(comm -13 \
        <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p' | sort -u) \
        <(printf '%s\n' "${wanted[@]}" | sort -u))
    [ ${#missing[@]} -gt 0 ] || return 0

    local become=()
    if [ "$(id -u)" != 0 ]; then
        if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            become=(sudo)
        else
            say "These packages are missing, and there are no rights here to install them:"
            say "  ${missing[*]}"
            die "As root: apt-get install --no-install-recommends ${missing[*]}" 2
        fi
    fi
    say "Installing ${#missing[@]} missing packages: ${missing[*]}"
    "${become[@]}" apt-get -q update >&2 || say "apt-get update failed; trying with the package lists as they are."
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${missing[@]}" >&2 ||
        die "Could not install: ${missing[*]}. Install them by hand, and start again." 2
}

# is_built FOLDER TARGET…: there is nothing left to build.
is_built() { ninja -C "$@" -n 2>/dev/null | grep -q '^ninja: no work to do'; }

# build_preset PRESET FOLDER [TARGET…]: configures once, then builds. Silent when there is nothing to do.
build_preset() {
    local preset=$1 folder=$2 log
    shift 2
    cd "$root" || exit
    if [ ! -f "$folder/build.ninja" ]; then
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
        say "Building in $folder …"
        ninja -C "$folder" -j "$jobs" "$@" >&2 || die "The build failed (see above)."
    fi
}
