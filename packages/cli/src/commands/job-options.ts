import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { findPolicy, loadPolicy, policyFor } from '@teamfuse/config';
import { type BreakerOptions, InvalidOptionError } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import { cleanForTerminal } from '../output/clean.ts';
import { kindsOf, policyOf } from '../replay/policy.ts';
import type { ReplayJob } from '../replay/replay-job.ts';

/** Threads that read in parallel; more would wait for the disk. */
const MAX_THREADS = 8;

/** Which policy applies. */
export type PolicyOptions = {
  /** A file; `false` for none, missing for the nearest. */
  policy?: string | false | undefined;
  team?: string | undefined;
};

/** Options of every command that replays. */
export type JobOptions = PolicyOptions & {
  set?: readonly string[] | undefined;
  only?: readonly FindingKind[] | undefined;
  map?: string | undefined;
  model?: string | undefined;
  threads: number;
};

/** Adds the options that {@link optionsOfPolicy} reads. */
export function withPolicyOptions<Args extends unknown[]>(
  command: Command<Args>,
): Command<Args, PolicyOptions> {
  return command
    .option(
      '--policy <file>',
      'the policy file (default: the nearest teamfuse.toml, here or above)',
    )
    .option('--no-policy', 'ignore policy files and use the defaults of the breaker')
    .option('--team <name>', 'the section [teams.<name>] of the policy') as unknown as Command<
    Args,
    PolicyOptions
  >;
}

/** Adds the options that {@link jobOf} reads. */
export function withJobOptions<Args extends unknown[]>(
  command: Command<Args>,
): Command<Args, JobOptions> {
  const withOptions = withPolicyOptions(command)
    .option(
      '--set <option=value>',
      'set an option of the breaker, such as speakerCycle.limit=4; may be repeated',
      collect,
    )
    .option('--only <kinds>', 'only these kinds may trip, such as repetition,limit', (list) =>
      kindsOf('--only', list),
    )
    .option('--map <file>', 'a map for files of no known format: JSON pointers (.json) or JSONata')
    .option('--model <name>', 'the model whose prices apply where a recording names none')
    .option(
      '--threads <count>',
      'how many threads read at the same time',
      threads,
      Math.min(MAX_THREADS, availableParallelism()),
    );
  return withOptions as unknown as Command<Args, JobOptions>;
}

/**
 * The job that these options ask for. Which policy was found is said on standard error.
 * @throws {@link PolicyError}, {@link InvalidOptionError}
 */
export function jobOf({
  policy,
  team,
  set = [],
  only,
  map,
  model,
  threads,
}: JobOptions): ReplayJob {
  const job = { base: optionsOfPolicy({ policy, team }), set, only, map, model, threads };
  policyOf(job);
  return job;
}

/**
 * The options of a breaker in a policy. Which one was found is said on standard error.
 * @throws {@link PolicyError}, {@link InvalidOptionError}
 */
export function optionsOfPolicy({ policy: path, team }: PolicyOptions): BreakerOptions {
  if (path === false && team !== undefined) {
    throw new InvalidOptionError('--team', 'a policy for it in place of --no-policy', team);
  }
  if (path === false) return {};
  const found = path ?? findPolicy();
  // A team without a file is an error that says so.
  if (found === undefined && team === undefined) return {};
  const file = loadPolicy({ path: found });
  if (path === undefined) console.error(cleanForTerminal(`policy: ${file.file}`));
  return policyFor(file, team);
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function threads(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return Math.min(count, MAX_THREADS);
  throw new InvalidArgumentError('Expected a whole number of at least 1.');
}
