import { Command, Option } from '@commander-js/extra-typings';
import { examples } from '../commands/examples.ts';
import { portOf } from '../watch/port.ts';
import { boundOf } from './bound.ts';
import { CODING_AGENT_NAMES } from './coding-agents.ts';
import { LOOPBACK, runGateway } from './run-gateway.ts';

const EXAMPLES = examples(
  [
    'teamfuse gateway --upstream https://api.openai.com',
    'guards every program that is started with the line it prints',
  ],
  ['teamfuse gateway --for claude-code', 'guards Claude Code, started with the line it prints'],
  [
    'teamfuse gateway --upstream https://api.openai.com --store redis://localhost --metrics',
    'one of several gateways that spend one budget, watched by Prometheus',
  ],
);

/** `teamfuse gateway`. `done` is given the exit code. */
export function gatewayCommand(done: (exitCode: number) => void): Command {
  return new Command('gateway')
    .description('Guard programs in any language by what they send to their models.')
    .option(
      '--upstream <address>',
      'the API that requests go to, with or without /v1 (default: that of --for)',
    )
    .addOption(
      new Option(
        '--for <agent>',
        'the coding agent whose calls are guarded; says how to start it',
      ).choices(CODING_AGENT_NAMES),
    )
    .option('--port <port>', 'the port on this machine; 0 for any free one', portOf, 4141)
    .option(
      '--host <address>',
      'the address to listen on; others than loopback need --token',
      LOOPBACK,
    )
    .option(
      '--policy <file>',
      'the policy file (default: the nearest teamfuse.toml, here or above)',
    )
    .option('--no-policy', 'ignore policy files and use the defaults of the breaker')
    .addOption(
      new Option(
        '--token <token>',
        'what callers have to send as the header x-teamfuse-token; in the environment, no list of processes shows it',
      ).env('TEAMFUSE_TOKEN'),
    )
    .addOption(
      new Option(
        '--refusal <form>',
        'an error of the API, or an answer that ends with the stop word',
      )
        .choices(['error', 'answer'] as const)
        .default('error' as const),
    )
    .option('--stop-word <word>', 'ends an answer that refuses', 'TERMINATE')
    .addOption(
      new Option(
        '--fail-mode <mode>',
        'whether calls pass while the guard or its store fails (default: open, with a store closed)',
      ).choices(['open', 'closed'] as const),
    )
    .option(
      '--no-stream-usage',
      'never ask streams of Chat Completions for their usage, which is then estimated',
    )
    .option(
      '--cut-laps',
      'ask models that were told of a loop without the messages that repeat its first lap',
    )
    .addOption(
      new Option(
        '--bound <name=number>',
        'how much a request may hold, such as maxMessages=80000; can be repeated (default: as the policy says)',
      ).argParser(boundOf),
    )
    .option(
      '--judge [model]',
      'ask the upstream whether a team goes in circles (default: as the policy says)',
    )
    .option('--no-judge', 'ask nobody, whatever the policy says')
    .option(
      '--judge-key <variable>',
      "the environment variable with the key to ask with (default: the caller's key)",
    )
    .option('--record <file>', 'writes a recording, for teamfuse watch and report')
    .option('--metrics', 'serves measurements for Prometheus at /metrics')
    .addOption(
      new Option(
        '--store <address>',
        'where several gateways keep one budget: redis://…, postgres://… or a file; in the environment, no list of processes shows its password',
      ).env('TEAMFUSE_STORE'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options) => {
      done(await runGateway(options));
    }) as unknown as Command;
}
