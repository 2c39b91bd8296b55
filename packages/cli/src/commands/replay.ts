import { Command } from '@commander-js/extra-typings';
import type { FindingKind } from '@teamfuse/core/detectors';
import { kindsOf } from '../replay/policy.ts';
import { examples } from './examples.ts';
import { jobOf, withJobOptions } from './job-options.ts';
import { judgeAt, withJudgeOptions } from './judge-at.ts';
import { runReplay } from './run-replay.ts';

const EXAMPLES = `${examples(
  ['teamfuse replay logs.db', 'each trip with its reason and evidence, and a summary'],
  ['teamfuse replay runs/ --set speakerCycle.limit=4', 'the same with another limit'],
  ['teamfuse replay runs/ --only budget --set budget.maxUsd=2', 'what a budget would have stopped'],
  ['teamfuse replay runs/ --json | jq .id', 'one JSON object for each conversation'],
)}

Exit codes: 0 nothing tripped, 1 something tripped, 2 wrong command line,
3 something could not be read, 4 the judge did not answer, 130 interrupted.`;

/** `teamfuse replay`. `done` is given the exit code. */
export function replayCommand(done: (exitCode: number) => void): Command<[string[]]> {
  const described = new Command('replay')
    .description(
      'Run recorded conversations through a circuit breaker, and say what it would have stopped.',
    )
    .argument('<paths...>', 'files or directories of recordings; - for standard input');
  const command = withJudgeOptions(withJobOptions(described))
    .option(
      '--fail-on <kinds>',
      'exit with 1 only if one of these kinds trips; none for never',
      failOn,
    )
    .option('--all', 'also show conversations that did not trip')
    .option('--json', 'print one JSON object for each conversation')
    .addHelpText('after', EXAMPLES)
    .action(async (paths, options) => {
      const { json = false, all = false, failOn } = options;
      const job = { ...jobOf(options), judge: await judgeAt(options) };
      done(await runReplay(paths, job, { isJson: json, isAll: all, failOn }));
    });
  return command as unknown as Command<[string[]]>;
}

function failOn(list: string): readonly FindingKind[] {
  return list === 'none' ? [] : kindsOf('--fail-on', list);
}
