import { setImmediate } from 'node:timers/promises';
import {
  type BaseGroupChat,
  CancelledError,
  isTaskResult,
  MagenticOneGroupChat,
  type RunOptions,
  TextMessage,
} from '@teamfuse/agentchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import fc, { type Scheduler } from 'fast-check';
import { expect } from 'vitest';
import { ABLE } from '../../agents/scripts.ts';
import type { Mailboxes } from './mailboxes.ts';
import { INNER_NAMES, orchestration, type Planned, planned, teamPlan } from './plans.ts';
import { type Move, move, PLANNED, Room } from './room.ts';

interface RunPlan {
  readonly taskSize: number;
  readonly moves: readonly Move[];
  /** After how many items the reader leaves the stream. */
  readonly leavesAfter: number | null;
  /** Whether the state moves to a new team before the run. */
  readonly isMoved: boolean;
}

const runPlan: fc.Arbitrary<RunPlan> = fc.record({
  taskSize: fc.nat({ max: 2 }),
  moves: fc.array(move, { maxLength: 8 }),
  leavesAfter: fc.option(fc.nat({ max: 8 }), { freq: 3 }),
  isMoved: fc.boolean(),
});

/** Turns of agents end in any order; whatever follows a turn has settled before the next one ends. */
const scheduler = fc.scheduler({
  act: async (run) => {
    await run();
    await setImmediate();
  },
});

/** Plays teams of any kind so often: a participant receives each message of the others once, in order, by its next turn. */
export async function checkDelivery(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      teamPlan,
      fc.array(runPlan, { minLength: 1, maxLength: 3 }),
      scheduler,
      async (plan, runs, schedule) => {
        const room = new Room(schedule);
        const { make, ...model } = planned(plan, room);
        let team = make();
        for (const run of runs) {
          if (run.isMoved) team = await moved(team, make());
          await play(team, run, { room, schedule, ...model });
          for (const { name, received, expected } of room.deliveries) {
            const texts = received.map((message) => message.toText());
            expect([name, ...texts]).toEqual([name, ...expected]);
          }
          await checkBuffers(team, model);
        }
      },
    ),
    { numRuns },
  );
}

interface Stage extends Omit<Planned, 'make'> {
  readonly room: Room;
  readonly schedule: Scheduler;
}

/** Runs the team once, and tells the model of the messages that no agent says. */
async function play(
  team: BaseGroupChat,
  { taskSize, moves, leavesAfter }: RunPlan,
  { room, schedule, mailboxes, names }: Stage,
): Promise<void> {
  const cancellation = new AbortController();
  room.cancel = () => cancellation.abort();
  room.plan(moves);
  const isOrchestrated = team instanceof MagenticOneGroupChat;
  const task = Array.from(
    { length: isOrchestrated ? Math.max(1, taskSize) : taskSize },
    () => new TextMessage({ content: room.text('user'), source: 'user' }),
  );
  const options = { task: task.length === 0 ? null : task, signal: cancellation.signal };
  if (isOrchestrated) {
    const replies = orchestration(moves, names);
    team.modelClient = new ReplayChatCompletionClient(replies, { modelInfo: ABLE });
    await schedule.waitFor(follow(team, options, null, mailboxes));
  } else {
    for (const message of task) mailboxes.post(message.content);
    await schedule.waitFor(follow(team, options, leavesAfter, mailboxes));
  }
}

/** Reads the stream of a run until it ends, fails as planned, or has shown enough. */
async function follow(
  team: BaseGroupChat,
  options: RunOptions,
  leavesAfter: number | null,
  mailboxes: Mailboxes,
): Promise<void> {
  let count = 0;
  try {
    for await (const item of team.runStream(options)) {
      if (!isTaskResult(item) && item.source === 'MagenticOneOrchestrator') {
        // With the plan all participants begin afresh.
        if (item.toText().startsWith('We are to do this task')) mailboxes.clear();
        mailboxes.post(item.toText());
      }
      if (count === leavesAfter) return;
      count += 1;
    }
  } catch (error) {
    const isPlanned =
      error instanceof CancelledError ||
      (error instanceof Error && error.message.includes(PLANNED));
    if (!isPlanned) throw error;
  }
}

async function moved(from: BaseGroupChat, to: BaseGroupChat): Promise<BaseGroupChat> {
  await to.loadState(JSON.parse(JSON.stringify(await from.saveState())));
  return to;
}

interface TeamStateJson {
  readonly agent_states: Readonly<
    Record<
      string,
      {
        readonly agent_state?: TeamStateJson;
        readonly message_buffer?: readonly { readonly content: string }[];
      }
    >
  >;
}

/** Compares the messages that wait in the team with those of the model. */
async function checkBuffers(
  team: BaseGroupChat,
  { names, mailboxes, inner }: Omit<Planned, 'make'>,
): Promise<void> {
  const { agent_states: states } = (await team.saveState()) as unknown as TeamStateJson;
  const waiting = (state: TeamStateJson['agent_states'], name: string) =>
    state[name]?.message_buffer?.map(({ content }) => content);
  for (const name of names) {
    expect([name, waiting(states, name)]).toEqual([name, mailboxes.due(name)]);
    const innerStates = states[name]?.agent_state?.agent_states;
    if (innerStates === undefined) continue;
    for (const member of INNER_NAMES) {
      expect([member, waiting(innerStates, member)]).toEqual([member, inner.due(member)]);
    }
  }
}
