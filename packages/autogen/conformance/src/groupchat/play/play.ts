import type { ConversableAgent } from '@teamfuse/groupchat';
import type { Json } from '../../harness/json.ts';
import { buildAgent } from '../build/build-agent.ts';
import { buildGroup } from '../build/build-group.ts';
import { World } from '../script/world.ts';
import type { TraceEvent, Vector } from '../vector.ts';
import { finalState } from './final-state.ts';
import { applySetup } from './setup-operation.ts';
import { performStep } from './step.ts';

/** What one step gave, or threw. */
export type PlayedStep = { readonly ok: Json } | { readonly thrown: unknown };

/** What was seen when a case was played. */
export interface Played {
  readonly setupError: { readonly at: readonly [string, number]; readonly error: unknown } | null;
  readonly trace: readonly TraceEvent[];
  readonly steps: readonly PlayedStep[];
  readonly state: Json;
  readonly counts: Json;
  /** Scripted sources that were not used up exactly. */
  readonly sourceProblems: readonly string[];
  readonly workDirs: readonly string[];
}

/** Builds the agents of a case, hands them to `prepare`, performs its steps and notes what can be seen. */
export async function play(
  vector: Vector,
  prepare: (agents: readonly ConversableAgent[]) => void,
): Promise<Played> {
  const world = new World(vector);
  try {
    const setupError = await setUp(world);
    if (setupError === null) prepare([...world.agents.values()]);
    const steps: PlayedStep[] = [];
    for (const [i, step] of (setupError ? [] : vector.steps).entries()) {
      try {
        world.recorder.note({ ev: 'step', i });
        steps.push({ ok: structuredClone(await performStep(world, step)) });
      } catch (thrown) {
        steps.push({ thrown });
      }
    }
    const { hooks, llm, nested, term_checks } = world.recorder.counts;
    return {
      setupError,
      trace: world.recorder.trace,
      steps,
      state: structuredClone(finalState(world)),
      counts: {
        hooks: hooks.toJson(),
        llm: llm.toJson(),
        nested: nested.toJson(),
        term_checks: term_checks.toJson(),
      },
      sourceProblems: [
        ...[world.human, world.random].flatMap((source) => source.problem() ?? []),
        ...world.models.problems(),
      ],
      workDirs: world.workDirs,
    };
  } finally {
    for (const close of world.closers) await close();
  }
}

async function setUp(world: World): Promise<Played['setupError']> {
  const { agents, groups = [], setup = [] } = world.vector;
  const work: [string, number, () => void | Promise<void>][] = [
    ...agents.map(
      (spec, i) =>
        ['agents', i, () => buildAgent(world, spec)] as [string, number, () => Promise<void>],
    ),
    ...groups.map(
      (spec, i) =>
        ['groups', i, () => buildGroup(world, spec)] as [string, number, () => Promise<void>],
    ),
    ...setup.map(
      (operation, i) =>
        ['setup', i, () => applySetup(world, operation)] as [string, number, () => void],
    ),
  ];
  for (const [section, index, perform] of work) {
    try {
      await perform();
    } catch (error) {
      return { at: [section, index], error };
    }
  }
  return null;
}
