import { InvalidOptionError } from '../common/errors.ts';
import { expectedName, orInvalid } from '../common/options.ts';
import {
  basisOf,
  FINDING_KINDS,
  type Finding,
  type FindingKind,
  isFindingKind,
} from '../detection/finding.ts';

/**
 * What a finding leads to: `observe` only emits it, `warn` tells the team once, `stop` opens the circuit. `ladder` tells the team
 * first, then refuses the call that is repeated, and opens the circuit once two more laps have changed nothing; what you declare
 * as a limit it stops at.
 */
export type Reaction = 'observe' | 'warn' | 'ladder' | 'stop';

/** One reaction for all kinds, or one for each kind; the default of a kind is `stop`. */
export type ReactionOptions = Reaction | Partial<Readonly<Record<FindingKind, Reaction>>>;

export const REACTIONS: readonly Reaction[] = ['observe', 'warn', 'ladder', 'stop'];

/** Checks reaction options. */
export function checkReactions(reaction: ReactionOptions = 'stop'): ReactionOptions {
  return orInvalid('reaction', REACTIONS.join(', '), reaction, () => readReactions(reaction));
}

function readReactions(reaction: ReactionOptions): ReactionOptions {
  const isPerKind = typeof reaction === 'object' && reaction !== null;
  const given: readonly unknown[] = isPerKind ? Object.values(reaction) : [reaction];
  for (const one of given) {
    if (!REACTIONS.includes(one as Reaction))
      throw new InvalidOptionError('reaction', REACTIONS.join(', '), one);
  }
  for (const kind of isPerKind ? Object.keys(reaction) : []) {
    if (!isFindingKind(kind))
      throw new InvalidOptionError(
        `reaction.${kind}`,
        expectedName(kind, [...FINDING_KINDS, 'custom:…'], 'kind'),
        (reaction as Readonly<Record<string, unknown>>)[kind],
      );
  }
  return typeof reaction === 'object' ? { ...reaction } : reaction;
}

/** What is chosen for a kind. */
export function chosenFor(kind: FindingKind, options: ReactionOptions): Reaction {
  return typeof options === 'string' ? options : (options[kind] ?? 'stop');
}

/** Whether findings of a kind may stop the team. */
export function stopsFor(kind: FindingKind, options: ReactionOptions): boolean {
  const chosen = chosenFor(kind, options);
  return chosen === 'stop' || chosen === 'ladder';
}

/** The reaction to `finding`. A finding of level `warn` never stops the team. The ladder does not apply to what was declared or is urgent. */
export function reactionTo(finding: Finding, options: ReactionOptions): Reaction {
  const { kind, level, isUrgent = false } = finding;
  const chosen = chosenFor(kind, options);
  const isClimbed = chosen === 'ladder' && basisOf(finding) !== 'declared' && !isUrgent;
  if (isClimbed || chosen === 'observe' || chosen === 'warn') return chosen;
  return level === 'warn' ? 'warn' : 'stop';
}

/** Kinds whose circuit stays open until a reset, because waiting does not help. */
const LASTING_KINDS: readonly FindingKind[] = ['limit', 'budget', 'manual'];

/** How a finding opens the circuit: for a cool-down, or until a reset. */
export function openingBy({ kind, isPassing = false }: Finding): 'trip' | 'stop' {
  return LASTING_KINDS.includes(kind) && !isPassing ? 'stop' : 'trip';
}
