import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { wordsOf } from '../completion/words.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { LineWriter } from '../output/line-writer.ts';
import { EXIT } from './exit-codes.ts';

const HELP = `
In ~/.bashrc: source <(teamfuse completion bash)
In ~/.zshrc, after compinit: source <(teamfuse completion zsh)
In ~/.config/fish/config.fish: teamfuse completion fish | source`;
const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `teamfuse completion`, for all commands of the program. `done` is given the exit code. */
export function completionCommand(
  program: CommandUnknownOpts,
  done: (exitCode: number) => void,
): Command<[string]> {
  return new Command('completion')
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText('after', HELP)
    .action(async (shell) => {
      const out = new LineWriter(process.stdout, false);
      await out.line(SHELLS[shell](program.name(), wordsOf(program)).trimEnd());
      await out.flush();
      done(EXIT.clean);
    }) as unknown as Command<[string]>;
}
