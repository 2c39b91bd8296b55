import { type CommandWords, type OptionWord, quoted, shellWord } from './words.ts';

/** What zsh has to load. */
export function zshCompletion(name: string, commands: readonly CommandWords[]): string {
  const described = commands.map(({ word, about }) =>
    quoted(`${word}:${about.replace(/:/g, '\\:')}`),
  );
  const cases = commands.map(
    ({ word, options, values, takesArguments }) => `    ${word})
      _arguments ${[...options.map(optionSpec), ...(takesArguments ? [`'*:argument:${actionOf(values)}'`] : [])].join(' \\\n        ')}
      ;;`,
  );
  return `#compdef ${name}
# Completion of ${name} for zsh: source <(${name} completion zsh)
_${name}() {
  local -a commands
  commands=(${described.join(' ')})
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${cases.join('\n')}
  esac
}
compdef _${name} ${name}
`;
}

function optionSpec({ word, about, takesValue, values }: OptionWord): string {
  const text = about.replace(/[[\]:\\]/g, '\\$&');
  return quoted(`*${word}[${text}]${takesValue ? `:value:${actionOf(values)}` : ''}`);
}

function actionOf(values: readonly string[]): string {
  return values.length > 0 ? `(${values.map(shellWord).join(' ')})` : '_files';
}
