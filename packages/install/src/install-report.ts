import type { SelfTestReport } from '@teamfuse/adapter-kit';
import type { Target } from './recognise.ts';

/** A target as it was recognised. */
export interface Found {
  readonly kind: Target['kind'];
  /** Its own name; empty where it has none. */
  readonly name: string;
  /** The names of what is guarded in it. */
  readonly members: readonly string[];
}

/** What a guard is on, under which policy, and whether it works. */
export interface InstallReport extends SelfTestReport {
  /** The file of the policy; `null` if the defaults count. */
  readonly policy: string | null;
  /** The team whose section counts; `null` if only the options of all teams do. */
  readonly team: string | null;
  readonly found: readonly Found[];
}

/** The report on one target. */
export function foundIn(target: Target): Found {
  const { kind, name } = target;
  if ('agents' in target) return { kind, name, members: target.agents.map((one) => one.name) };
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
