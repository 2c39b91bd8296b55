import { isArray } from '../common/json.ts';

/** The built-in detectors; each has an option and a file of the same name. */
export const DETECTOR_KINDS = [
  'speaker-cycle',
  'repetition',
  'execution-storm',
  'history-drift',
  'nested-cascade',
  'rate',
] as const;

/** The kind of a built-in detector. */
export type DetectorKind = (typeof DETECTOR_KINDS)[number];

/** The kinds except custom ones. */
export type BuiltInKind = DetectorKind | 'budget' | 'context-window' | 'limit' | 'manual';

/** All kinds of findings except custom ones. */
export const FINDING_KINDS: readonly BuiltInKind[] = [
  ...DETECTOR_KINDS,
  'budget',
  'context-window',
  'limit',
  'manual',
];

/** What a finding is about. `custom:` kinds belong to custom detectors. */
export type FindingKind = BuiltInKind | `custom:${string}`;

export function isFindingKind(name: string): name is FindingKind {
  return name.startsWith('custom:') || FINDING_KINDS.some((kind) => kind === name);
}

/**
 * What a finding is based on: `certain`, counted steps without anything new; `declared`, a limit of the user; `judged`, the
 * answer of a judge; or `suspected`, almost no new information for a long time.
 */
export type Basis = 'certain' | 'declared' | 'judged' | 'suspected';

/** The numbers and names behind a finding, so that programs need not parse its reason. */
export interface Evidence {
  /** The agents involved, each once, in order of appearance. */
  readonly agents: readonly string[];
  /** Indices of the signals involved, oldest first. */
  readonly indices: readonly number[];
  /** Occurrences counted, or the amount spent, in the unit of `limit`. */
  readonly count: number;
  /** The count that trips. */
  readonly limit: number;
  /** Index of the latest new step, if everything since then was a repetition. */
  readonly newsAt?: number;
  /** Length of one round, in the detector's own steps. */
  readonly period?: number;
  /** The growth factor, for detectors that compare late with early. */
  readonly ratio?: number;
  /** What repeated: a ring of speakers, a trigger, an error category, a tool. */
  readonly subject?: string;
  /** The exhausted purse: `agent:critic`, `conversation`, `day:2026-11-26/user:ann`. Missing for the whole budget. */
  readonly purse?: string;
}

/** The result of a detector that warns or trips. */
export interface Finding {
  /** `warn` warns the team, `trip` stops it. */
  readonly level: 'warn' | 'trip';
  readonly kind: FindingKind;
  /** One sentence for people. */
  readonly reason: string;
  readonly evidence: Evidence;
  /**
   * The reason and subject to use with `excerpts: false`: without anything the team said, including names of tools. Custom
   * findings without it then show only their kind and numbers.
   */
  readonly unquoted?: { readonly reason: string; readonly subject?: string };
  /**
   * What it is based on. Only `suspected` findings are put to a judge.
   * @defaultValue 'suspected'
   */
  readonly basis?: Basis;
  /**
   * Whether waiting resolves it: the circuit then opens for a cool-down, even for a kind that otherwise requires a reset.
   * @defaultValue false
   */
  readonly isPassing?: boolean;
  /**
   * Whether it is about a step that is still under way, so that telling the team would come too late: where the team is told first
   * (`reaction: 'ladder'`), it is stopped at once.
   * @defaultValue false
   */
  readonly isUrgent?: boolean;
}

/** The answer of a detector, which a user may have written in JavaScript. @throws TypeError for what is neither nothing nor a finding */
export function findingIn(kind: string, answer: Finding | null | undefined): Finding | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (isFinding(answer)) return answer;
  throw new TypeError(
    `${kind}: expected a finding with level, kind, reason and evidence, or nothing`,
  );
}

function isFinding(answer: unknown): boolean {
  const { level, kind, reason, evidence } = Object(answer) as Partial<Finding>;
  const { agents, indices, count, limit } = Object(evidence) as Partial<Evidence>;
  const isText = typeof kind === 'string' && typeof reason === 'string';
  const isCounted = typeof count === 'number' && typeof limit === 'number';
  const isPlaced = isArray(agents) && isArray(indices);
  return (level === 'warn' || level === 'trip') && isText && isCounted && isPlaced;
}

export function basisOf({ basis = 'suspected' }: Finding): Basis {
  return basis;
}

/** A finding with its place in the conversation. */
export interface Found {
  readonly finding: Finding;
  /** Index of its signal, or of the next one if a request was refused. */
  readonly index: number;
  readonly at: number;
}
