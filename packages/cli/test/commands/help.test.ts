import { describe, expect, it } from 'vitest';
import { programOf } from '../../src/program.ts';

const program = programOf(() => {});
const commands = program.commands.filter((command) => command.name() !== 'completion');

describe('help', () => {
  it.each([program, ...commands].map((command) => [command.name(), command] as const))(
    '[CLI15] ends with examples that are valid command lines: %s',
    (_, asked) => {
      let help = '';
      asked.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      const [, examples = ''] = help.split('Examples:');
      const lines = [...examples.matchAll(/^ {2}teamfuse (.+)$/gm)].map(([, line = '']) => line);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        // What stands behind a pipe, or behind --, is not for the command.
        const [name = '', ...words] = line.split(/ \| | -- /)[0]?.split(' ') ?? [];
        const command = commands.find((one) => one.name() === name);
        const known = command?.options.flatMap(({ short, long }) => [short, long]);
        for (const word of words.filter((one) => one.startsWith('-'))) {
          expect([line, known?.includes(word)]).toEqual([line, true]);
        }
        expect([line, command?.name()]).toEqual([line, name]);
      }
    },
  );
});
