import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../src/harness/json.ts';
import { judge } from '../../src/harness/judge.ts';
import {
  type KnownDifferences,
  knownDifferencesFile,
  readKnownDifferences,
} from '../../src/harness/known-difference.ts';
import type { Library } from '../../src/harness/library.ts';
import { readText } from '../../src/harness/read-text.ts';
import type { CaseResult } from '../../src/harness/report.ts';
import { explainingRules } from '../../src/harness/rule.ts';
import { runCase, runVectors } from '../../src/harness/run-vectors.ts';
import {
  type AnyVector,
  type LoadedCase,
  readVectorFiles,
  type VectorFile,
} from '../../src/harness/vector-files.ts';
import { committedVectors, sharedVectors } from './fixtures.ts';
import { allReplaced, KINDS, type Kind, singlyReplaced } from './nonsense.ts';

/** The figures of the committed vectors of a library. */
export interface Figures {
  /** Every how many cases one is played. */
  readonly every: number;
  /** How many are. */
  readonly total: number;
  readonly maxDeviatingShare: number;
}

/** How many cases of each file are played that stand in it as nonsense: the others are compared without being played. */
const PLAYED_CASES = 60;
/** How many values of each case are replaced one at a time. */
const SINGLE_REPLACEMENTS = 4;

/** The rules that hold for both libraries. */
export function libraryContract<Vector extends AnyVector>(
  library: Library<Vector>,
  { every, total, maxDeviatingShare }: Figures,
): void {
  let known: KnownDifferences;
  let files: readonly VectorFile<Vector>[];
  let all: readonly LoadedCase<Vector>[];
  let cases: readonly LoadedCase<Vector>[];
  let report: readonly CaseResult[];
  /** What each case gave when it was played, by the text of the case: its id is not told to the library. */
  const played = new Map<string, Json>();

  beforeAll(async () => {
    known = await readKnownDifferences(knownDifferencesFile(library.name));
    files = await readVectorFiles<Vector>(committedVectors(library.name));
    all = files.flatMap((file) => file.cases);
    cases = all.filter((_, at) => at % every === 0);
    const play = async (vector: Vector): Promise<Json> => {
      const result = await library.play(vector);
      played.set(JSON.stringify(vector), result);
      return result;
    };
    const results: CaseResult[] = [];
    for (const one of cases) {
      results.push(await runCase({ ...library, play }, one, known.get(one.id)));
    }
    report = results;
  });

  const isRecorded = (field: string): boolean => library.recordedFields.includes(field);
  const isRunnable = ({ vector }: LoadedCase<Vector>): boolean =>
    (library.missingProgram?.(vector) ?? null) === null;

  describe('the committed vectors', () => {
    test('[CONF1] are all read, and those that are run accounted for', () => {
      expect(files.flatMap(({ unreadable }) => unreadable)).toEqual([]);
      expect(report).toHaveLength(total);
    });

    test('[CONF2] do not fail', () => {
      expect(report.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    });

    test('[CONF3] deviate in no larger share than measured', () => {
      const deviating = report.filter(({ outcome }) => outcome === 'deviating');
      expect(deviating.length).toBeLessThanOrEqual(total * maxDeviatingShare);
    });

    test('[CONF4] are skipped only for a missing program', () => {
      const skipped = report.filter(({ outcome }) => outcome === 'skipped');
      expect(skipped.every(({ rule }) => rule === 'python' || rule === 'sh')).toBe(true);
    });

    test('[CONF12] have unique ids that stay the same', async () => {
      const ids = all.map(({ id }) => id);
      expect(new Set(ids).size).toBe(all.length);
      const again = await readVectorFiles(committedVectors(library.name));
      expect(again.flatMap((file) => file.cases.map(({ id }) => id))).toEqual(ids);
    });

    test('[CONF18] are those beside the repository', async ({ skip }) => {
      const shared = sharedVectors(library.name);
      if (!existsSync(shared)) {
        console.warn(`skipped: ${library.name} vectors are not compared, there is no ${shared}`);
        skip(`there is no ${shared}`);
      }
      for (const { name } of files) {
        const plain = basename(name, '.gz');
        const [ours, theirs] = await Promise.all([
          readText(join(committedVectors(library.name), name)),
          readFile(join(shared, plain), 'utf8'),
        ]);
        expect(ours === theirs, plain).toBe(true);
      }
    });
  });

  describe('the record of known differences', () => {
    test('[CONF5] names every rule and no other', () => {
      const recorded = new Set([...known.values()].flatMap(({ rules }) => rules));
      expect([...recorded].sort()).toEqual(library.rules.map(({ name }) => name).sort());
    });

    test('[CONF19] names the rules that explain its differences', () => {
      const byId = new Map(all.map(({ id, vector }) => [id, vector]));
      for (const { id, rules, differences } of known.values()) {
        const vector = byId.get(id);
        expect(vector, id).toBeDefined();
        const found = vector && explainingRules(library.rules, id, vector, differences);
        expect(found?.map(({ name }) => name)).toEqual(rules);
      }
    });
  });

  describe('recorded results that are replaced by nonsense', () => {
    let results: ReadonlyMap<string, Json>;

    beforeAll(() => {
      results = new Map(
        cases.filter(isRunnable).map(({ id, vector }) => {
          const result = played.get(JSON.stringify(vector));
          if (result === undefined) throw new Error(`${id} was not played`);
          return [id, result];
        }),
      );
    });

    const outcome = (id: string, vector: Vector): CaseResult['outcome'] =>
      judge(library, { id, vector }, results.get(id) ?? null, known.get(id)).outcome;

    const touchedBy = (kind: Kind): readonly LoadedCase<Vector>[] =>
      cases.filter(isRunnable).flatMap(({ id, vector }) => {
        const changed = allReplaced(vector as never, isRecorded, kind);
        const isTouched = JSON.stringify(changed) !== JSON.stringify(vector);
        return isTouched ? [{ id, vector: changed as never }] : [];
      });

    test.each(Object.keys(KINDS) as Kind[])('[CONF10] fail when all %s are', (kind) => {
      const touched = touchedBy(kind);
      const slipped = touched.filter(({ id, vector }) => outcome(id, vector) !== 'failed');
      console.info(`${library.name} ${kind}: ${touched.length} touched, ${slipped.length} slip`);
      expect(touched.length).toBeGreaterThan(total / 5);
      expect(slipped.map(({ id }) => id)).toEqual([]);
    });

    test('[CONF10] fail when a single value is', () => {
      const slipped: string[] = [];
      for (const { id, vector } of cases.filter(isRunnable)) {
        const changes = [...singlyReplaced(vector as never, isRecorded)];
        const apart = Math.ceil(changes.length / SINGLE_REPLACEMENTS);
        const some = changes.filter((_, at) => at % apart === 0);
        if (some.some((changed) => outcome(id, changed as never) !== 'failed')) slipped.push(id);
      }
      expect(slipped).toEqual([]);
    });

    test('[CONF10] fail when they are read from a file and played', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'teamfuse-nonsense-'));
      try {
        for (const { name, cases: ofFile } of files) {
          const changed = ofFile
            .slice(0, PLAYED_CASES / every)
            .map(({ vector }) =>
              JSON.stringify(allReplaced(vector as never, isRecorded, 'states')),
            );
          await writeFile(join(directory, basename(name, '.gz')), changed.join('\n'));
        }
        const touched = new Set(touchedBy('states').map(({ id }) => id));
        const report = await runVectors(library, directory);
        const slipped = report.results.filter(
          ({ id, outcome }) => touched.has(id) && outcome !== 'failed',
        );
        expect(slipped).toEqual([]);
        expect(report.failed).toBeGreaterThan(PLAYED_CASES / every);
      } finally {
        await rm(directory, { recursive: true });
      }
    });
  });
}
