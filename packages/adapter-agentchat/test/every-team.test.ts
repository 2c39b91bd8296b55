import {
  DiGraphBuilder,
  GraphFlow,
  MagenticOneGroupChat,
  MaxMessageTermination,
  or,
  RoundRobinGroupChat,
  SelectorGroupChat,
  Swarm,
  type Team,
  TextMentionTermination,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { BreakerTermination, guardTeam } from '../src/index.ts';
import { replay, Speaker } from './support/agents.ts';
import { fact } from './support/teams.ts';

const COURTESIES = [
  'Thank you so much for all of this!',
  'You are very welcome, it was a pleasure.',
  'Really, we appreciate it a lot.',
  'Always glad to be of help to you.',
  'That is so kind of you to say.',
  'The pleasure was all on our side.',
];
const WORK_TURNS = 10;
const MOST_TURNS = 40;

/** What an agent says in its turns: the same courtesies for ever, or a fact a turn and then the end. */
type Lines = (turn: number) => string;

interface TeamKind {
  readonly name: string;
  /** Makes a team of two agents that take turns; `ends` is its condition. */
  readonly make: (a: Lines, b: Lines, ends: BreakerTermination | null) => Team;
}

/** Ends by the word, by far too many messages, or by the breaker's condition. */
function condition(ends: BreakerTermination | null) {
  const declared = or(new TextMentionTermination('DONE'), new MaxMessageTermination(MOST_TURNS));
  return { terminationCondition: ends ? or(declared, ends) : declared };
}

function pair(a: Lines, b: Lines): [Speaker, Speaker] {
  return [new Speaker('a', a), new Speaker('b', b)];
}

/** Says a line in every other turn, and gives the floor away in those between. */
function thenHandOff(lines: Lines, target: string): Lines {
  return (turn) => (turn % 2 ? lines((turn + 1) / 2) : `@${target} Over to you.`);
}

function graph(members: [Speaker, Speaker]) {
  const [a, b] = members;
  const leaf = new Speaker('leaf', () => 'DONE');
  const builder = new DiGraphBuilder().addNode(a).addNode(b).addNode(leaf);
  builder.addEdge(a, b).setEntryPoint(a);
  builder.addEdge(b, a, { condition: (message) => !message.toText().includes('FINISH') });
  builder.addEdge(b, leaf, { condition: (message) => message.toText().includes('FINISH') });
  return { members: [...members, leaf], graph: builder.build() };
}

/** Facts, a plan, and then ledgers that let the two speak in turn. */
function orchestrator() {
  const entry = (answer: unknown) => ({ answer, reason: 'because' });
  const ledgers = Array.from({ length: MOST_TURNS }, (_, i) =>
    JSON.stringify({
      is_request_satisfied: entry(false),
      is_in_loop: entry(false),
      is_progress_being_made: entry(true),
      next_speaker: entry(i % 2 ? 'b' : 'a'),
      instruction_or_question: entry('Please go on with the next step.'),
    }),
  );
  return replay('the facts', 'the plan', ...ledgers);
}

const TEAM_KINDS: readonly TeamKind[] = [
  {
    name: 'RoundRobinGroupChat',
    make: (a, b, ends) => new RoundRobinGroupChat(pair(a, b), condition(ends)),
  },
  {
    name: 'SelectorGroupChat',
    make: (a, b, ends) =>
      new SelectorGroupChat(pair(a, b), {
        ...condition(ends),
        modelClient: replay(),
        selectorFunc: (thread) => (thread.at(-1)?.source === 'a' ? 'b' : 'a'),
      }),
  },
  {
    name: 'Swarm',
    make: (a, b, ends) =>
      new Swarm(pair(thenHandOff(a, 'b'), thenHandOff(b, 'a')), condition(ends)),
  },
  {
    name: 'a team within a team',
    make: (a, b, ends) =>
      new RoundRobinGroupChat(
        [new RoundRobinGroupChat(pair(a, b), { name: 'inner', maxTurns: 2 }), new Speaker('c', a)],
        condition(ends),
      ),
  },
  {
    name: 'GraphFlow',
    make: (a, b, ends) => {
      const { members, graph: edges } = graph(pair(a, b));
      return new GraphFlow(members, { graph: edges, ...condition(ends) });
    },
  },
  {
    name: 'MagenticOneGroupChat',
    make: (a, b, ends) =>
      new MagenticOneGroupChat(pair(a, b), {
        ...condition(ends),
        modelClient: orchestrator(),
        maxTurns: MOST_TURNS,
      }),
  },
];

const courtesy =
  (offset: number): Lines =>
  (turn) =>
    COURTESIES[(2 * turn + offset) % COURTESIES.length] ?? '';
const work =
  (offset: number): Lines =>
  (turn) =>
    2 * turn + offset > WORK_TURNS ? 'All of it is written. FINISH DONE' : fact(2 * turn + offset);

describe.each(TEAM_KINDS)('$name', ({ make }) => {
  it('[ANY1] is stopped by the condition when it goes in circles', async () => {
    const breaker = new Breaker();
    const team = make(courtesy(0), courtesy(1), new BreakerTermination(breaker));
    const { messages, stopReason } = await team.run({ task: 'Translate the recipe.' });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(messages.length).toBeLessThan(MOST_TURNS);
  });

  it('[ANY2] is stopped by the guard when it goes in circles', async () => {
    const breaker = new Breaker();
    const team = make(courtesy(0), courtesy(1), null);
    guardTeam(team, breaker);
    const { messages, stopReason } = await team.run({ task: 'Translate the recipe.' });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(messages.length).toBeLessThan(MOST_TURNS);
  });

  it('[ANY3] finishes when it gets on, with condition and guard', async () => {
    const breaker = new Breaker();
    const team = make(work(-1), work(0), new BreakerTermination(breaker));
    guardTeam(team, breaker);
    const { stopReason } = await team.run({ task: 'Translate the recipe.' });
    expect(breaker.conversation().trip).toBeUndefined();
    expect(stopReason).toMatch(/DONE|Digraph execution is complete/);
  });
});
