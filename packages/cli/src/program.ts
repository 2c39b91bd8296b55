import { readFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { completionCommand } from './commands/completion.ts';
import { doctorCommand } from './commands/doctor.ts';
import { examples } from './commands/examples.ts';
import { explainCommand } from './commands/explain.ts';
import { recordCommand } from './commands/record.ts';
import { replayCommand } from './commands/replay.ts';
import { reportCommand } from './commands/report.ts';
import { tuneCommand } from './commands/tune.ts';
import { watchCommand } from './commands/watch.ts';
import { gatewayCommand } from './gateway/gateway-command.ts';

const EXAMPLES = `${examples(
  ['teamfuse replay logs.db', 'what would have been stopped, and what that would have saved'],
  ['teamfuse report runs/ -o report.html', 'the same as a page'],
  ['teamfuse explain logs.db 1', 'the first trip in words'],
)}

teamfuse help replay shows the options of a command.`;

/** The command line. `done` is given the exit code of the command that ran. */
export function programOf(done: (exitCode: number) => void): Command {
  const program = new Command('teamfuse')
    .version(version(), '--version', 'print the version')
    .description(
      'Circuit breakers for teams of LLM agents: see what they would have stopped in recorded conversations.',
    )
    .addHelpText('after', EXAMPLES)
    .enablePositionalOptions()
    .exitOverride();
  const commands = [
    replayCommand(done),
    reportCommand(done),
    explainCommand(done),
    tuneCommand(done),
    recordCommand(done),
    watchCommand(done),
    gatewayCommand(done),
    doctorCommand(done),
    completionCommand(program, done),
  ];
  for (const command of commands) program.addCommand(command.exitOverride());
  return program as Command;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
