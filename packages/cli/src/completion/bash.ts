import { type CommandWords, shellWord } from './words.ts';

/** What bash has to load. Where no word fits, it offers files. */
export function bashCompletion(name: string, commands: readonly CommandWords[]): string {
  const names = commands.map(({ word }) => word);
  const values = commands.flatMap(({ word, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map((option) => `    '${word} ${option.word}') words='${listOf(option.values)}' ;;`),
  );
  const words = commands.flatMap((command) => [
    `        '${command.word} -'*) words='${listOf(command.options.map(({ word }) => word))}' ;;`,
    `        '${command.word} '*) words='${listOf(command.values)}' ;;`,
  ]);
  return `# Completion of ${name} for bash: source <(${name} completion bash)
_${name}() {
  local command=\${COMP_WORDS[1]} current=\${COMP_WORDS[COMP_CWORD]}
  local previous=\${COMP_WORDS[COMP_CWORD - 1]} words=''
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${listOf([...names, '--help'])}' -- "$current"))
    return
  fi
  case "$command $previous" in
${values.join('\n')}
    *)
      case "$command $current" in
${words.join('\n')}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}

function listOf(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
