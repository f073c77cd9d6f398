# Completion of ade for fish: put this file into ~/.config/fish/completions.
function __ade_complete
    set -l program ade
    command -sq ade; or set program "$ADE_CLI_PATH"
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l last (commandline -ct)
    set -l lines (command $program __complete fish $typed "$last" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$last"
        case dirs
            __fish_complete_directories "$last"
    end
    set -e lines[1]
    if set -q lines[1]
        printf '%s\n' $lines
    end
end
complete -c ade -f -a '(__ade_complete)'
