import {
  CancelledError,
  type ChatItem,
  type ComponentRegistry,
  type JsonObject,
  type StopMessage,
  type Team,
  type Termination,
} from '@teamfuse/agentchat';
import type { ModelSpec } from '../vector.ts';
import { Clock } from './clock.ts';
import { VectorModel } from './vector-model.ts';
import { vectorRegistry } from './vector-registry.ts';

/** One thing a condition went through. */
export type ConditionEntry =
  | { readonly kind: 'reset' }
  | {
      readonly kind: 'call';
      readonly messages: readonly ChatItem[];
      outcome?: { readonly stop: StopMessage | null } | { readonly error: unknown };
    };

/** What was noted during one action. */
export interface Notes {
  readonly agents: JsonObject[];
  readonly models: JsonObject[];
  readonly selectors: JsonObject[];
  /** By path of the team. */
  readonly conditions: Map<string, ConditionEntry[]>;
}

/** What a case is played in: its clock, its models, and what was noted. */
export class World {
  readonly clock: Clock = new Clock();
  readonly registry: ComponentRegistry = vectorRegistry(this.clock);
  readonly models: ReadonlyMap<string, VectorModel>;
  /** The conditions teams were made with, by path of the team. */
  readonly conditions: Map<string, Termination> = new Map();
  /** The team that is played with, for agents that reach out for it. */
  team: Team | undefined;
  /** Cancels the run that is under way. */
  cancellation: AbortController | undefined;
  notes: Notes = emptyNotes();

  constructor(models: Readonly<Record<string, ModelSpec>> = {}) {
    this.models = new Map(
      Object.entries(models).map(([name, spec]) => [
        name,
        new VectorModel(name, spec, (call) => this.notes.models.push(call)),
      ]),
    );
  }

  model(name: string | undefined): VectorModel {
    const model = this.models.get(name ?? '');
    if (model === undefined) throw new Error(`the case has no model ${name}`);
    return model;
  }

  /** Hands over what was noted and starts anew. */
  takeNotes(): Notes {
    const { notes } = this;
    this.notes = emptyNotes();
    return notes;
  }

  noteAgent(note: JsonObject): void {
    this.notes.agents.push(note);
  }

  noteCondition(team: string, entry: ConditionEntry): void {
    const entries = this.notes.conditions.get(team) ?? [];
    entries.push(entry);
    this.notes.conditions.set(team, entries);
  }

  /** Cancels the run; with `signal` it then waits as something linked to the run would. */
  async cancel(signal?: AbortSignal): Promise<void> {
    this.cancellation?.abort();
    if (signal === undefined) return;
    if (!signal.aborted) throw new Error('the run passed no cancellation on');
    throw new CancelledError();
  }
}

function emptyNotes(): Notes {
  return { agents: [], models: [], selectors: [], conditions: new Map() };
}
