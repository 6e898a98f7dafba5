# Completion of stowage-cli for bash: commands, their options, planners, targets, and files. The names come from the program itself.
_stowage_cli()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
    local names
    if [ "$COMP_CWORD" = 1 ]; then
        names=$("$program" --help 2>/dev/null | awk '/^Subcommands:/ {on = 1; next} on && NF {print $1}')
        mapfile -t COMPREPLY < <(compgen -W "$names --help --version" -- "$current")
        return
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
    --plugin-dir)
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return
        ;;
    list)
        mapfile -t COMPREPLY < <(compgen -W "planners targets importers exporters plugins" -- "$current")
        return
        ;;
    esac
    if [[ $current == -* ]]; then
        names=$("$program" "$command" --help 2>/dev/null | grep -oE '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,')
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
complete -o filenames -F _stowage_cli stowage-cli
