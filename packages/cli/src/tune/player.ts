import { InvalidOptionError } from '@teamfuse/core';
import { readAll } from '../commands/read-all.ts';
import type { Outcome } from '../replay/kept.ts';
import { policyOf } from '../replay/policy.ts';
import type { Replayed } from '../replay/replay.ts';
import type { ReplayJob } from '../replay/replay-job.ts';
import { Rerun } from '../replay/rerun.ts';
import type { Labels } from './labels.ts';
import { type Score, ScoreCounter } from './score.ts';
import type { Setting } from './sweep.ts';

/** Characters of recordings that all threads together keep, rather than reading them again. */
const MAX_KEPT = 256 * 1024 * 1024;

/** Replays everything with one setting after the other, each on top of the job's own. */
export class Player {
  readonly #paths: readonly string[];
  readonly #job: ReplayJob;
  readonly #labels: Labels;
  /** What was read the first time, unless that is too much to be kept. */
  #rerun: Rerun | undefined;
  #isRead = false;
  readonly #unused: Set<string>;
  #problems = '';

  /** @param maxKept how many characters are kept. */
  constructor(
    paths: readonly string[],
    job: ReplayJob,
    labels: Labels,
    maxKept: number = MAX_KEPT,
  ) {
    this.#paths = paths;
    this.#job = job;
    this.#labels = labels;
    this.#unused = new Set(labels.keys());
    this.#rerun = new Rerun(job, maxKept);
  }

  /** The score of a setting; `undefined` if a breaker does not take its options together. */
  async play(setting: Setting): Promise<Score | undefined> {
    const set = settingsOn(this.#job, setting);
    try {
      policyOf({ ...this.#job, set });
    } catch (error) {
      if (error instanceof InvalidOptionError) return undefined;
      throw error;
    }
    const counter = new ScoreCounter(this.#labels);
    const outcomes = this.#isRead ? await this.#again(set) : undefined;
    if (outcomes === undefined) await this.#read(set, counter);
    for (const outcome of outcomes ?? []) counter.add(outcome);
    return counter.score;
  }

  /** The labels that no conversation has that was read. */
  get unusedLabels(): readonly string[] {
    return [...this.#unused];
  }

  /** What could not be read, in words; empty if everything was. */
  get problems(): string {
    return this.#problems;
  }

  async close(): Promise<void> {
    await this.#rerun?.close();
    this.#rerun = undefined;
  }

  /** Reads everything. What is broken is said the first time only. */
  async #read(set: readonly string[], counter: ScoreCounter): Promise<void> {
    const take = ({ id, turns, trips, saved }: Replayed): undefined => {
      this.#unused.delete(id);
      counter.add({ id, turns, isStopped: trips.length > 0, savedTurns: saved.turns });
    };
    const job = { ...this.#job, set };
    const { problems } = await readAll(this.#paths, job, take, this.#isRead, this.#rerun);
    this.#problems = problems;
    this.#isRead = true;
  }

  async #again(set: readonly string[]): Promise<readonly Outcome[] | undefined> {
    const outcomes = await this.#rerun?.outcomes(set);
    if (outcomes !== undefined || this.#rerun === undefined) return outcomes;
    console.error('the recordings do not fit into memory: reading them again for each setting');
    await this.close();
    return undefined;
  }
}

/** A setting on top of those of a job, as `--set` takes them. */
export function settingsOn({ set }: ReplayJob, setting: Setting): readonly string[] {
  return [...set, ...Object.entries(setting).map(([name, value]) => `${name}=${value}`)];
}
