import { Command } from '@commander-js/extra-typings';
import type { FindingKind } from '@teamfuse/core';
import { kindsOf } from '../replay/policy.ts';
import { jobOf, withJobOptions } from './job-options.ts';
import { judgeAt } from './judge-at.ts';
import { runReplay } from './run-replay.ts';

/** `teamfuse replay`. `done` is given the exit code. */
export function replayCommand(done: (exitCode: number) => void): Command<[string[]]> {
  const described = new Command('replay')
    .description(
      'Run recorded conversations through a circuit breaker, and say what it would have stopped.',
    )
    .argument('<paths...>', 'files or directories of recordings; - for standard input');
  const command = withJobOptions(described)
    .option('--fail-on <kinds>', 'exit with 1 for these kinds only, or none', failOn)
    .option(
      '--judge <url>',
      'ask a model at this OpenAI-compatible endpoint; the key is in OPENAI_API_KEY',
    )
    .option('--judge-model <name>', 'the model to ask', 'gpt-4o-mini')
    .option('--all', 'show conversations that did not trip as well', false)
    .option('--json', 'print one JSON object for each conversation', false)
    .action(async (paths, options) => {
      const { judge: url, judgeModel, json, all } = options;
      const job = jobOf(options);
      const judge = url === undefined ? undefined : await judgeAt(url, judgeModel);
      const show = { isJson: json, isAll: all, failOn: options.failOn };
      done(await runReplay(paths, { ...job, judge }, show));
    });
  return command as unknown as Command<[string[]]>;
}

function failOn(list: string): readonly FindingKind[] {
  return list === 'none' ? [] : kindsOf('--fail-on', list);
}
