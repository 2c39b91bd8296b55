import type { ChatItem, StopMessage, Termination } from '@teamfuse/agentchat';
import type { ConditionEntry, World } from './world.ts';

/** A condition that notes what a team does with it. */
export class WatchedCondition implements Termination {
  readonly #condition: Termination;
  readonly #team: string;
  readonly #world: World;

  constructor(condition: Termination, team: string, world: World) {
    this.#condition = condition;
    this.#team = team;
    this.#world = world;
  }

  get terminated(): boolean {
    return this.#condition.terminated;
  }

  async call(messages: readonly ChatItem[]): Promise<StopMessage | null> {
    const entry: ConditionEntry = { kind: 'call', messages: [...messages] };
    this.#world.noteCondition(this.#team, entry);
    try {
      const stop = await this.#condition.call(messages);
      entry.outcome = { stop };
      return stop;
    } catch (error) {
      entry.outcome = { error };
      throw error;
    }
  }

  async reset(): Promise<void> {
    this.#world.noteCondition(this.#team, { kind: 'reset' });
    await this.#condition.reset();
  }
}
