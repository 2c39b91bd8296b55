import { availableParallelism } from 'node:os';
import { Command } from '@commander-js/extra-typings';
import type { FindingKind } from '@teamfuse/core';
import { kindsOf, policyOf } from '../replay/policy.ts';
import { judgeAt } from './judge-at.ts';
import { runReplay } from './run-replay.ts';

/** Threads that read files beside each other; more are not faster than what is read. */
const MAX_THREADS = 8;

/** `teamfuse replay`. `done` is given the exit code. */
export function replayCommand(done: (exitCode: number) => void): Command<[string[]]> {
  const command = new Command('replay')
    .description(
      'Run recorded conversations through a circuit breaker, and say what it would have stopped.',
    )
    .argument('<paths...>', 'files or directories of recordings; - for standard input')
    .option(
      '--set <option=value>',
      'set an option of the breaker, such as speakerCycle.limit=4',
      collect,
    )
    .option('--only <kinds>', 'let only these kinds stop a conversation', (list) =>
      kindsOf('--only', list),
    )
    .option('--fail-on <kinds>', 'exit with 1 for these kinds only, or none', failOn)
    .option('--map <file>', 'read a format of your own: JSON pointers (.json) or JSONata')
    .option(
      '--judge <url>',
      'ask a model at this OpenAI-compatible endpoint; the key is in OPENAI_API_KEY',
    )
    .option('--judge-model <name>', 'the model to ask', 'gpt-4o-mini')
    .option(
      '--threads <count>',
      'files to read at the same time',
      threads,
      Math.min(MAX_THREADS, availableParallelism()),
    )
    .option('--all', 'show conversations that did not trip as well', false)
    .option('--json', 'print one JSON object for each conversation', false)
    .action(async (paths, options) => {
      const { set = [], only, map, judge: url, judgeModel, threads: count, json, all } = options;
      policyOf({ set, only });
      const judge = url === undefined ? undefined : await judgeAt(url, judgeModel);
      const job = { set, only, map, judge, threads: count };
      const show = { isJson: json, isAll: all, failOn: options.failOn };
      done(await runReplay(paths, job, show));
    });
  return command as unknown as Command<[string[]]>;
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function failOn(list: string): readonly FindingKind[] {
  return list === 'none' ? [] : kindsOf('--fail-on', list);
}

function threads(text: string): number {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? Math.min(count, MAX_THREADS) : 1;
}
