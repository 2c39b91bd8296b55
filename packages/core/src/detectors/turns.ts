import { restoredList, restoredNumber, restoredText } from '../analysis/restored.ts';
import type { JsonValue } from '../json.ts';

/** Who spoke or acted, and when. */
export interface Turn {
  readonly agent: string;
  readonly index: number;
}

/** Each agent of `turns` once, in order of appearance. @internal */
export function agentsOf(turns: readonly Turn[]): string[] {
  return [...new Set(turns.map(({ agent }) => agent))];
}

/** `turns` as plain JSON. @internal */
export function turnsSnapshot(turns: readonly Turn[]): JsonValue {
  return turns.map(({ agent, index }) => [agent, index]);
}

/**
 * Takes a {@link turnsSnapshot} back.
 * @throws {@link InvalidSnapshotError}
 * @internal
 */
export function restoredTurns(path: string, snapshot: unknown): Turn[] {
  return restoredList(path, snapshot).map((turn) => {
    const [agent, index] = restoredList(path, turn);
    return { agent: restoredText(path, agent), index: restoredNumber(path, index) };
  });
}
