import { InvalidOptionError } from '../../errors.ts';
import { FINDING_KINDS, type Finding, type FindingKind, isFindingKind } from '../../finding.ts';
import { expectedName, reading } from '../../options.ts';

/**
 * What a finding leads to: `observe` only emits it, `warn` warns the team once, `stop` opens the circuit.
 */
export type Reaction = 'observe' | 'warn' | 'stop';

/** One reaction for all kinds, or one for each kind; the default of a kind is `stop`. */
export type ReactionOptions = Reaction | Partial<Readonly<Record<FindingKind, Reaction>>>;

export const REACTIONS: readonly Reaction[] = ['observe', 'warn', 'stop'];

/** Checks reaction options. */
export function checkReactions(reaction: ReactionOptions): ReactionOptions {
  return reading('reaction', REACTIONS.join(', '), reaction, () => readReactions(reaction));
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

/** The reaction to `finding`. A finding of level `warn` never stops the team. */
export function reactionTo(
  { kind, level }: Pick<Finding, 'kind' | 'level'>,
  options: ReactionOptions,
): Reaction {
  const chosen = typeof options === 'string' ? options : (options[kind] ?? 'stop');
  return chosen === 'stop' && level === 'warn' ? 'warn' : chosen;
}

/** Kinds whose circuit stays open until a reset, because waiting does not help. */
const LASTING_KINDS: readonly FindingKind[] = ['limit', 'budget', 'manual'];

/** How a finding opens the circuit: for a cool-down, or until a reset. */
export function openingBy({ kind, isPassing = false }: Finding): 'trip' | 'stop' {
  return LASTING_KINDS.includes(kind) && !isPassing ? 'stop' : 'trip';
}
