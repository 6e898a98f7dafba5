# Completion of stowage-cli for bash: commands, their options, planners, targets, devices, and files. The names come from the program itself.
_stowage_cli_commands()
{
    "$@" --help 2>/dev/null | awk '/^Subcommands:/ {on = 1; next} !NF {on = 0} on && /^ ? ?[a-z]/ {print $1}'
}

_stowage_cli()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
    local names
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_stowage_cli_commands "$program") --help --version" -- "$current")
        return
    fi
    if [ "$command" = pipeline ] && [[ $current != -* ]]; then
        # Its own commands, and those of "pipeline config".
        if [ "$COMP_CWORD" = 2 ] || { [ "$COMP_CWORD" = 3 ] && [ "${COMP_WORDS[2]}" = config ]; }; then
            names=$(_stowage_cli_commands "$program" "${COMP_WORDS[@]:1:COMP_CWORD-1}")
            mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current")
            return
        fi
    fi
    case $previous in
    --planner | --planners)
        names=$("$program" list planners --format csv 2>/dev/null | awk -F, 'NR > 1 {print $2}')
        mapfile -t COMPREPLY < <(compgen -W "$names all plugins" -- "$current")
        return
        ;;
    --target)
        names=$("$program" list targets --format csv 2>/dev/null | awk -F, 'NR > 1 {print $1}' | sort -u)
        mapfile -t COMPREPLY < <(compgen -W "$names" -f -- "$current")
        return
        ;;
    --devices)
        names=$("$program" list devices --format csv 2>/dev/null | awk -F, 'NR > 1 {print $1}' | sort -u)
        mapfile -t COMPREPLY < <(compgen -W "$names" -f -- "$current")
        return
        ;;
    --plugin-dir)
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return
        ;;
    list)
        mapfile -t COMPREPLY < <(compgen -W "planners targets devices importers exporters plugins" -- "$current")
        return
        ;;
    esac
    if [[ $current == -* ]]; then
        local words=("$command")
        if [ "$command" = pipeline ]; then
            [ "$COMP_CWORD" -gt 2 ] && words+=("${COMP_WORDS[2]}")
            [ "$COMP_CWORD" -gt 3 ] && [ "${COMP_WORDS[2]}" = config ] && words+=("${COMP_WORDS[3]}")
        fi
        # Of lines of options only: examples and footers name options of other commands.
        names=$("$program" "${words[@]}" --help 2>/dev/null | grep -E '^  -' | grep -oE '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,' | sort -u)
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
complete -o filenames -F _stowage_cli stowage-cli
