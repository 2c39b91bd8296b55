import { type AnyTable, BREAKER_OPTIONS } from '@teamfuse/core/options';
import { isBetter, type Score } from './score.ts';

type Tried = readonly [option: string, values: readonly (string | number)[]];

/** Options with the values that are tried. */
const TRIED = triedIn(BREAKER_OPTIONS, '');

function triedIn(table: AnyTable, path: string): readonly Tried[] {
  return Object.entries(table).flatMap(([name, spec]): readonly Tried[] => {
    if (spec.type === 'table') return triedIn(spec.of, `${path}${name}.`);
    return 'tried' in spec && spec.tried ? [[path + name, spec.tried]] : [];
  });
}

/** The option and value of one setting, as `--set` takes them. */
export type Setting = Readonly<Record<string, string | number>>;

/** A setting that was tried, on top of the best ones before it, and what came of it. */
export interface Trial {
  readonly option: string;
  readonly value: string | number;
  readonly score: Score;
}

/** What a sweep found. */
export interface Sweep {
  readonly base: Score;
  /** The settings that are wrong least often; those that change nothing are left out. */
  readonly best: Setting;
  readonly score: Score;
}

/**
 * Tries options one after another, each with all its values on top of the best before. Without labels nothing is better than
 * anything else, and every option is tried by itself.
 *
 * @param play replays everything with these settings; `undefined` if a breaker does not take them together.
 */
export async function sweep(
  play: (setting: Setting) => Promise<Score | undefined>,
  told: (trial: Trial) => void,
): Promise<Sweep> {
  const base = (await play({})) as Score;
  let best: Setting = {};
  let score = base;
  for (const [option, values] of TRIED) {
    const before = best;
    for (const value of values) {
      const setting = { ...before, [option]: value };
      const result = await play(setting);
      if (result === undefined) continue;
      told({ option, value, score: result });
      if (!isBetter(result, score)) continue;
      best = setting;
      score = result;
    }
  }
  return { base, best, score };
}
