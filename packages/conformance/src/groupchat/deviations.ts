import { builtInWording } from './built-in-wording.ts';
import type { Parting } from './compare.ts';
import type { Forgives } from './json.ts';
import { camelCase } from './script/camel-case.ts';
import type { CodeSpec, TraceEvent, Vector } from './vector.ts';

/** A way in which this implementation differs from the recorded one on purpose. */
export interface Deviation {
  /** As it is listed in the SPEC.md of the package. */
  readonly rule: string;
  /** Whether a case is of the kind in which the difference shows. */
  readonly concerns: (vector: Vector, parting: Parting | null) => boolean;
  /** What alone may differ; without it anything may. */
  readonly forgives?: Forgives;
}

/** All deliberate differences; what differs in a case that none of them explains is a failure. */
export const deviations: readonly Deviation[] = [
  {
    rule: 'unbounded',
    concerns: ({ tags }) => tags.includes('unbounded'),
  },
  {
    rule: 'live-fields',
    concerns: ({ tags, steps, groups = [] }) =>
      steps.some(({ op }) => op === 'set_group') ||
      (tags.includes('resume') && groups.some((group) => group.send_introductions === true)),
  },
  {
    rule: 'wording',
    concerns: () => true,
    forgives: builtInWording,
  },
  {
    rule: 'empty-summary',
    concerns: () => true,
    forgives: (expected, got, path) => expected === null && got === '' && path.at(-1) === 'summary',
  },
  {
    rule: 'names',
    concerns: () => true,
    forgives: (expected, got) => typeof expected === 'string' && camelCase(expected) === got,
  },
  {
    rule: 'nested-parts',
    concerns: ({ steps, setup = [] }) =>
      setup.some(({ op }) => op === 'nested') &&
      steps.some(({ message }) => typeof message === 'object' && Array.isArray(message?.content)),
  },
  {
    rule: 'snapshots',
    concerns: ({ steps }) => steps.some(({ op }) => op === 'initiate_chats'),
    forgives: (_expected, _got, path) =>
      path[0] === 'steps' &&
      path[2] === 'results' &&
      (path[4] === 'chat_history' || path[4] === 'human_input'),
  },
  {
    rule: 'crashes',
    concerns: ({ expect }, parting) =>
      (expect.steps ?? []).some((step) => 'error' in step && step.error.internal === true) &&
      (parting === null || endsStep(parting.expected)),
  },
  {
    rule: 'empty-window',
    concerns: (vector, parting) =>
      partsAtCode(vector, parting, (code) => {
        const window = code.last_n_messages ?? 'auto';
        return code.path === 'executor' && (window === 0 || window === 'auto');
      }),
  },
  {
    rule: 'window-lost',
    concerns: (vector) =>
      codeSpecs(vector).some(({ path, last_n_messages: window = 'auto' }) => {
        const isValid = window === 'auto' || (Number.isInteger(window) && window >= 0);
        return path === 'legacy' && !isValid;
      }),
  },
  {
    rule: 'one-executor',
    concerns: (vector, parting) =>
      partsAtCode(vector, parting, ({ path }) => path === 'local' || path === 'legacy_local'),
  },
];

function codeSpecs({ agents }: Vector): CodeSpec[] {
  return agents.flatMap(({ code_execution: code }) => (code ? [code] : []));
}

/** Whether nothing more happens in a step after this event: it failed, or the next step follows. */
function endsStep(event: TraceEvent | undefined): boolean {
  if (event === undefined || event.ev === 'step') return true;
  return event.error !== undefined || String(event.reason).startsWith('error:');
}

function partsAtCode(
  { agents }: Vector,
  parting: Parting | null,
  applies: (code: CodeSpec) => boolean,
): boolean {
  const { expected } = parting ?? {};
  if (expected?.ev !== 'exec') return false;
  const code = agents.find(({ name }) => name === expected.agent)?.code_execution;
  return code !== undefined && applies(code);
}
