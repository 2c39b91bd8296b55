import { type Difference, isError } from '../../harness/difference.ts';
import type { Rule } from '../../harness/rule.ts';
import { camelCase } from '../script/camel-case.ts';
import type { CodeSpec, TraceEvent, Vector } from '../vector.ts';
import { isBuiltInWording } from './built-in-wording.ts';

type Explains = Rule<Vector>['explains'];

/**
 * All deliberate differences, by the names in the SPEC.md of the package, as the record of known
 * differences names them. The exact differences stand in that record. The rules that change single
 * values come before those that change the course of a case.
 */
export const deviations: readonly Rule<Vector>[] = [
  deviation('wording', isBuiltInWording),
  deviation(
    'empty-summary',
    ({ path, expected, got }) => expected === null && got === '' && path.endsWith('.summary'),
  ),
  deviation('names', isCamelCased),
  deviation(
    'snapshots',
    ({ path }, { vector: { steps } }) =>
      steps.some(({ op }) => op === 'initiate_chats') && OLDER_RESULT.test(path),
  ),
  deviation('unbounded', (_, { vector: { tags } }) => tags.includes('unbounded')),
  deviation('live-fields', (_, { vector: { tags, steps, groups = [] } }) => {
    const isIntroduced = groups.some((group) => group.send_introductions === true);
    return steps.some(({ op }) => op === 'set_group') || (tags.includes('resume') && isIntroduced);
  }),
  deviation('nested-parts', (_, { vector: { steps, setup = [] } }) => {
    const isInParts = steps.some(
      ({ message }) => typeof message === 'object' && Array.isArray(message?.content),
    );
    return setup.some(({ op }) => op === 'nested') && isInParts;
  }),
  deviation('crashes', (_, { vector, all }) => {
    const parting = partingOf(vector, all);
    const outcomes = vector.expect.steps ?? [];
    const isCrash = outcomes.some((step) => 'error' in step && step.error.internal === true);
    return isCrash && (parting === null || endsStep(parting.expected));
  }),
  deviation('empty-window', (_, { vector, all }) =>
    partsAtCode(vector, all, (code) => {
      const window = code.last_n_messages ?? 'auto';
      return code.path === 'executor' && (window === 0 || window === 'auto');
    }),
  ),
  deviation('window-lost', (_, { vector: { agents } }) =>
    agents.some(({ code_execution: code }) => {
      const window = code?.last_n_messages ?? 'auto';
      const isValid = window === 'auto' || (Number.isInteger(window) && window >= 0);
      return code?.path === 'legacy' && !isValid;
    }),
  ),
  deviation('one-executor', (_, { vector, all }) =>
    partsAtCode(vector, all, ({ path }) => path === 'local' || path === 'legacy_local'),
  ),
];

function deviation(name: string, explains: Explains): Rule<Vector> {
  return { name, kind: 'deviation', explains };
}

const OLDER_RESULT = /^\.steps\[\d+\]\.ok\.results\[\d+\]\.(?:chat_history|human_input)\b/;

function isCamelCased({ expected, got }: Difference): boolean {
  if (isError(expected) && isError(got)) {
    return expected.type === got.type && camelCase(String(expected.message)) === got.message;
  }
  return typeof expected === 'string' && camelCase(expected) === got;
}

/** The first events at which two traces part. */
interface Parting {
  readonly expected: TraceEvent | undefined;
}

function partingOf({ expect }: Vector, all: readonly Difference[]): Parting | null {
  const places = all.flatMap(({ path }) => /^\.trace\[(\d+)\]/.exec(path)?.[1] ?? []);
  if (places.length === 0) return null;
  return { expected: expect.trace?.[Math.min(...places.map(Number))] };
}

/** Whether nothing more happens in a step after this event: it failed, or the next step follows. */
function endsStep(event: TraceEvent | undefined): boolean {
  if (event === undefined || event.ev === 'step') return true;
  return event.error !== undefined || String(event.reason).startsWith('error:');
}

function partsAtCode(
  vector: Vector,
  all: readonly Difference[],
  applies: (code: CodeSpec) => boolean,
): boolean {
  const expected = partingOf(vector, all)?.expected;
  if (expected?.ev !== 'exec') return false;
  const code = vector.agents.find(({ name }) => name === expected.agent)?.code_execution;
  return code !== undefined && applies(code);
}
