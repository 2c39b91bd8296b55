import type { Guard, GuardOptions } from '@teamfuse/adapter-kit';
import type { Breaker } from '@teamfuse/core';
import type { TeamScript } from './script.ts';
import type { Stage } from './stage.ts';

/**
 * What a framework may lack. `before-code` is a point between the beginning of a coder's turn and its code, such as an
 * approval; `cancel` is ending a run by an `AbortSignal`; `nudge` is an agent that gets messages before it asks its model;
 * `last-answer` is that a guard can take the tools from a model call and bound its answer; `tool-error` is that an agent is told when a tool fails, and goes on;
 * `missing-tool` is that an agent is told when it calls a tool that it does not have, and goes on;
 * `side-by-side` is that one team works on several tasks at the same time; `schema` is that arguments are checked before a tool is called, and only texts fit; `sharing` is that agents may hold the same model and the same tools; `modelless` is a team of which no member has a model.
 */
export type Capability =
  | 'speaker'
  | 'model'
  | 'tool'
  | 'code'
  | 'before-code'
  | 'nested'
  | 'person'
  | 'cancel'
  | 'nudge'
  | 'missing-tool'
  | 'schema'
  | 'last-answer'
  | 'tool-error'
  | 'side-by-side'
  | 'sharing'
  | 'modelless';

/** How a run ended. */
export interface RunEnd {
  /** The texts of the outermost conversation, in order, with the task or without it. */
  readonly texts: readonly string[];
  /** Why the run was stopped; `undefined` if a framework has no place for it. */
  readonly stopReason: string | undefined;
}

/** A team of the framework, built from a script. */
export interface ContractTeam {
  /** Installs the adapter's guard. Throws what the adapter throws. */
  guard(breaker: Breaker, options: GuardOptions): Guard;
  /** Runs the team. Rejects with what a caller of the framework gets. */
  run(task: string, options: { readonly signal?: AbortSignal }): Promise<RunEnd>;
  /** Every object that a guard may change: the team, its members, and lists of theirs, in the order of the script. */
  readonly parts: readonly object[];
  /** Puts something else in the place of one tap, and returns the name by which the self-test reports that tap's member. */
  breakTap(): string;
}

/** Builds teams of one framework for {@link adapterContract}. */
export interface AdapterHarness {
  /**
   * What the framework has no notion of, and why: the rules that need it are reported as skipped for that reason.
   * @defaultValue nothing
   */
  readonly lacks?: Readonly<Partial<Record<Capability, string>>>;
  /** Builds a team whose models, tools, programs and people ask the stage. */
  build(script: TeamScript, stage: Stage): ContractTeam;
}
