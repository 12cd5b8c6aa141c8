export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * A script that has the shell ask `storectl completion candidates` at every press of the key, so that it never grows
 * old. Where there is no candidate, the shell offers file names.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_storectl() {
  local word meaning typed=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS=$'\\t' read -r word meaning; do
    if [[ $typed != [\\'\\"]* && $word == *[!A-Za-z0-9_.,:/=@+-]* ]]; then printf -v word '%q' "$word"; fi
    if [[ $word == *. ]]; then compopt -o nospace 2>/dev/null; fi
    COMPREPLY+=("$word")
  done < <(storectl completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _storectl storectl
`,
  zsh: `#compdef storectl
_storectl() {
  local -a described onward
  local word meaning
  while IFS=$'\\t' read -r word meaning; do
    word="\${word//:/\\\\:}\${meaning:+:$meaning}"
    if [[ $word == *. ]]; then onward+=("$word"); else described+=("$word"); fi
  done < <(storectl completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#described + $#onward == 0 )); then _files; return; fi
  if (( $#described )); then _describe 'storectl' described; fi
  if (( $#onward )); then _describe 'storectl' onward -S ''; fi
}
compdef _storectl storectl
`,
  fish: `function __storectl_candidates
  set -l typed (commandline --tokenize --cut-at-cursor --current-process)
  set -l found (storectl completion candidates -- $typed[2..-1] (commandline --current-token --cut-at-cursor) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline --current-token --cut-at-cursor)
  end
end
complete --command storectl --no-files --arguments '(__storectl_candidates)'
`,
}
