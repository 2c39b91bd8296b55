import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/** A word that may be written, and what it is for. */
export interface Word {
  readonly word: string;
  readonly about: string;
}

/** An option of a command. */
export interface OptionWord extends Word {
  readonly takesValue: boolean;
  /** The values it takes; none if that is anything, such as a file. */
  readonly values: readonly string[];
}

/** What may follow the name of a command. */
export interface CommandWords extends Word {
  readonly options: readonly OptionWord[];
  /** What its arguments may be; none if that is anything, such as a file. */
  readonly values: readonly string[];
  /** Whether it takes arguments at all. */
  readonly takesArguments: boolean;
}

/** All that can be written after the name of a program, as the program itself tells it. */
export function wordsOf(program: CommandUnknownOpts): readonly CommandWords[] {
  return program.createHelp().visibleCommands(program).flatMap(commandWords);
}

function commandWords(command: CommandUnknownOpts): CommandWords[] {
  const help = command.createHelp();
  const args = command.registeredArguments as readonly Argument[];
  return [
    {
      word: command.name(),
      about: command.description(),
      options: help.visibleOptions(command).flatMap(optionWords),
      values: args.flatMap(({ argChoices }) => argChoices ?? []),
      takesArguments: args.length > 0,
    },
  ];
}

function optionWords(option: Option): OptionWord[] {
  const { long, description, required, optional, argChoices = [] } = option;
  if (long === undefined || long === null) return [];
  const takesValue = required || optional;
  return [{ word: long, about: description, takesValue, values: argChoices }];
}

/** A text between quotation marks that it cannot end, for any of the shells. */
export function quoted(text: string): string {
  return `'${text.replace(/\\/g, '\\\\').replaceAll("'", '’')}'`;
}

/** A word that a shell takes as it is. Others are left out of a choice. */
export function shellWord(word: string): string {
  return /^[\w./@%+:-]+$/.test(word) ? word : '';
}
