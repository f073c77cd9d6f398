# Completion of ade for bash: source this file, or put it into bash-completion's folder.
_ade() {
  local program=ade rest=${COMP_LINE:0:COMP_POINT} mode='' word trimmed line value i
  local -a words
  words=()
  COMPREPLY=()
  # Bash splits words at = and : as well; put together what the line holds without a blank between.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    trimmed=${rest#"${rest%%[![:space:]]*}"}
    if ((${#trimmed} < ${#word})); then word=$trimmed; fi
    if ((i == 0)) || [[ $trimmed != "$rest" ]]; then
      words+=("$word")
    else
      words[${#words[@]} - 1]+=$word
    fi
    rest=${trimmed#"$word"}
  done
  if ! command -v ade >/dev/null; then program=${ADE_CLI_PATH:-ade}; fi
  while IFS= read -r line; do
    if [[ -z $mode ]]; then
      mode=$line
      continue
    fi
    value=${line%%$'\t'*}
    case ${COMP_WORDS[COMP_CWORD]} in
      [\'\"]*) if [[ $value == *[!A-Za-z0-9_./@%+=:,-]* ]]; then continue; fi ;;
      *) printf -v value '%q' "$value" ;;
    esac
    COMPREPLY+=("$value")
  done < <(command "$program" __complete bash "${words[@]:1}" 2>/dev/null)
  case $mode in
    files) compopt -o default 2>/dev/null ;;
    dirs) compopt -o dirnames 2>/dev/null ;;
  esac
  if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
complete -F _ade ade
