import type { Session } from './session.ts';

/** Whose self-test an event, an attempt or a list of messages belongs to, and what it is told to. */
export interface Rehearsal {
  readonly owner: object;
  readonly session: Session;
}

const rehearsals = new WeakMap<object, Rehearsal>();

/** Marks what goes through the taps and chains of agents as part of a self-test. */
export function rehearse<T extends object>(part: T, rehearsal: Rehearsal): T {
  rehearsals.set(part, rehearsal);
  return part;
}

/** Where `part` is to be told: to the scratch session of a self-test, to `live`, or to nobody if others test. */
export function sessionFor(part: object | null, owner: object, live: Session): Session | undefined {
  const rehearsal = part === null ? undefined : rehearsals.get(part);
  if (!rehearsal) return live;
  return rehearsal.owner === owner ? rehearsal.session : undefined;
}
