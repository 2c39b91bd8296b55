import { type CommandWords, quoted, shellWord } from './words.ts';

/** What fish has to load. */
export function fishCompletion(name: string, commands: readonly CommandWords[]): string {
  const lines = [`# Completion of ${name} for fish: ${name} completion fish | source`];
  for (const { word, about, options, values } of commands) {
    const text = quoted(about);
    lines.push(`complete -c ${name} -f -n __fish_use_subcommand -a ${word} -d ${text}`);
    const when = quoted(`__fish_seen_subcommand_from ${word}`);
    if (values.length > 0) {
      lines.push(`complete -c ${name} -f -n ${when} -a ${quoted(values.map(shellWord).join(' '))}`);
    }
    for (const option of options) {
      const choices = quoted(option.values.map(shellWord).join(' '));
      const value = option.takesValue
        ? ` -r${option.values.length > 0 ? ` -f -a ${choices}` : ''}`
        : '';
      const long = option.word.replace(/^--/, '');
      lines.push(`complete -c ${name} -n ${when} -l ${long}${value} -d ${quoted(option.about)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
