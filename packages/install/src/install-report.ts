import type { SelfTestReport } from '@teamfuse/adapter-kit';
import type { Target } from './recognise.ts';

/** A target as it was recognised. */
export interface FoundTarget {
  readonly kind: Target['kind'];
  /** Its name; may be empty. */
  readonly name: string;
  /** The names of the guarded members. */
  readonly members: readonly string[];
}

/** What a guard is on, under which policy, and whether it works. */
export interface InstallReport extends SelfTestReport {
  /** The policy file; `null` for the defaults. */
  readonly policy: string | null;
  /** The team whose section applies; `null` if none does. */
  readonly team: string | null;
  readonly found: readonly FoundTarget[];
}

/** The report on one target. */
export function foundIn(target: Target): FoundTarget {
  const { kind, name } = target;
  if ('agents' in target) return { kind, name, members: target.agents.map((one) => one.name) };
  if ('framework' in target) return { kind, name, members: target.framework.members };
  if ('functions' in target) return { kind, name, members: Object.keys(target.functions) };
  return { kind, name, members: memberNames(target.team.participants) };
}

/** The names of participants, those of inner teams included. */
function memberNames(participants: readonly object[]): readonly string[] {
  return participants.flatMap((one) => {
    const { name, participants: inner } = one as { name?: unknown; participants?: unknown };
    const own = typeof name === 'string' ? [name] : [];
    return Array.isArray(inner) ? [...own, ...memberNames(inner)] : own;
  });
}
