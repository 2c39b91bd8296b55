import {
  type BaseGroupChat,
  DiGraphBuilder,
  GraphFlow,
  HandoffMessage,
  MagenticOneGroupChat,
  type Participant,
  RoundRobinGroupChat,
  SelectorGroupChat,
  Swarm,
  TextMessage,
} from '@teamfuse/agentchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import fc from 'fast-check';
import type { StreamAgent } from '../stream-agent.ts';
import { Mailboxes } from './mailboxes.ts';
import { InnerTeam, type Move, type Room } from './room.ts';

/** The plan of a team: everything about it that is random. */
export interface TeamPlan {
  readonly kind: 'round-robin' | 'selector' | 'swarm' | 'magentic-one' | 'graph-flow';
  readonly size: number;
  /** Whether a team takes the last place, where teams may take part. */
  readonly isNested: boolean;
  /** The selector's choices, repeated as often as needed. */
  readonly order: readonly number[];
  /** Whether the edges of a node fire only on some answers. */
  readonly conditional: readonly boolean[];
  readonly edges: readonly { readonly from: number; readonly to: number; readonly any: boolean }[];
}

export const teamPlan: fc.Arbitrary<TeamPlan> = fc.record({
  kind: fc.constantFrom('round-robin', 'selector', 'swarm', 'magentic-one', 'graph-flow'),
  size: fc.integer({ min: 2, max: 4 }),
  isNested: fc.boolean(),
  order: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 6 }),
  conditional: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  edges: fc.array(
    fc.record({ from: fc.nat({ max: 3 }), to: fc.nat({ max: 3 }), any: fc.boolean() }),
    { minLength: 2, maxLength: 8 },
  ),
});

/** A team made to plan, and the model of its deliveries. */
export interface Planned {
  readonly names: readonly string[];
  readonly mailboxes: Mailboxes;
  readonly inner: Mailboxes;
  /** Makes the team; every one shares the model. */
  readonly make: () => BaseGroupChat;
}

export const INNER_NAMES: readonly string[] = ['x', 'y'];
const MAX_TURNS = 4;

export function planned(plan: TeamPlan, room: Room): Planned {
  const names = ['a', 'b', 'c', 'd'].slice(0, plan.size);
  const mailboxes = new Mailboxes(names);
  const inner = new Mailboxes(INNER_NAMES);
  const options = { maxTurns: MAX_TURNS };
  const agents = (): StreamAgent[] => names.map((name) => room.agent(name, mailboxes));
  const participants = (): Participant[] => {
    const last = names.at(-1) ?? '';
    return plan.isNested
      ? [...agents().slice(0, -1), new InnerTeam(last, room, mailboxes, inner, INNER_NAMES)]
      : agents();
  };
  let choices = 0;
  const make = {
    'round-robin': () => new RoundRobinGroupChat(participants(), options),
    selector: () =>
      new SelectorGroupChat(participants(), {
        ...options,
        modelClient: new ReplayChatCompletionClient([]),
        selectorFunc: () => nameAt(names, plan.order[choices++ % plan.order.length]),
      }),
    swarm: () =>
      new Swarm(
        names.map((name) => room.agent(name, mailboxes, handoffReply(name, names))),
        options,
      ),
    'magentic-one': () =>
      new MagenticOneGroupChat(agents(), {
        modelClient: new ReplayChatCompletionClient([]),
        maxTurns: null,
        maxStalls: 1,
      }),
    'graph-flow': () => graphFlow(plan, names, room, mailboxes),
  }[plan.kind];
  return { names, mailboxes, inner, make };
}

/** The replies of an orchestrator's model that gives each move's speaker a turn, and sometimes plans anew before. */
export function orchestration(moves: readonly Move[], names: readonly string[]): string[] {
  const rounds = moves.flatMap(({ pick }) => {
    const turn = ledger({ next: nameAt(names, pick) });
    return pick % 5 === 0 ? [ledger({ progress: false }), 'facts', 'plan', turn] : [turn];
  });
  return ['facts', 'plan', ...rounds, ledger({ satisfied: true }), 'the answer'];
}

function ledger({ satisfied = false, progress = true, next = 'a' }): string {
  const entry = (answer: unknown) => ({ answer, reason: 'because' });
  return JSON.stringify({
    is_request_satisfied: entry(satisfied),
    is_in_loop: entry(false),
    is_progress_being_made: entry(progress),
    next_speaker: entry(next),
    instruction_or_question: entry(`now ${next}`),
  });
}

function graphFlow(
  { edges, conditional }: TeamPlan,
  names: readonly string[],
  room: Room,
  mailboxes: Mailboxes,
): GraphFlow {
  const builder = new DiGraphBuilder();
  for (const name of names) builder.addNode(room.agent(name, mailboxes, routingReply(name, names)));
  const seen = new Set<string>();
  for (const { from: source, to, any } of edges) {
    // The last node stays without edges, as every graph needs such a one.
    const from = source % (names.length - 1);
    const isConditional = conditional[from] === true;
    const [name, target] = [nameAt(names, from), nameAt(names, to)];
    // Only a condition can end a loop.
    if (!isConditional && names.indexOf(target) <= from) continue;
    if (seen.has(name + target)) continue;
    seen.add(name + target);
    builder.addEdge(name, target, {
      condition: isConditional ? `>${target}` : null,
      activationGroup: any ? `any ${target}` : `all ${target}`,
      activationCondition: any ? 'any' : 'all',
    });
  }
  const graph = builder.setEntryPoint('a').build();
  return new GraphFlow(builder.participants, { graph, maxTurns: MAX_TURNS });
}

/** The text lists the targets whose edges fire. */
function routingReply(source: string, names: readonly string[]) {
  return (text: string, { pick }: Move) => {
    const targets = names.filter((_, index) => (pick >> index) % 2 === 1);
    return new TextMessage({
      content: text + targets.map((target) => ` >${target}`).join(''),
      source,
    });
  };
}

function handoffReply(source: string, names: readonly string[]) {
  return (content: string, { pick }: Move) =>
    pick % 3 === 0
      ? new TextMessage({ content, source })
      : new HandoffMessage({ content, source, target: nameAt(names, pick) });
}

function nameAt(names: readonly string[], index = 0): string {
  return names[index % names.length] ?? '';
}
