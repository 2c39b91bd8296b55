import {
  type BaseChatMessage,
  type ChatItem,
  HandoffMessage,
  RoundRobinGroupChat,
  type RunOptions,
  type TaskResult,
  TextMessage,
  ThoughtEvent,
} from '@teamfuse/agentchat';
import fc, { type Scheduler } from 'fast-check';
import { StreamAgent } from '../stream-agent.ts';
import type { Mailboxes } from './mailboxes.ts';

/** One turn of an agent as the property plans it. */
export interface Move {
  readonly outcome: 'answer' | 'fail' | 'refuse' | 'cancel';
  /** Events the agent yields before the outcome. */
  readonly events: number;
  /** Chooses among the others: the target of a handoff, the edges of a graph that fire. */
  readonly pick: number;
}

export const move: fc.Arbitrary<Move> = fc.record({
  outcome: fc.oneof(
    { weight: 8, arbitrary: fc.constant('answer' as const) },
    { weight: 1, arbitrary: fc.constant('fail' as const) },
    { weight: 1, arbitrary: fc.constant('refuse' as const) },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
  ),
  events: fc.nat({ max: 1 }),
  pick: fc.nat({ max: 255 }),
});

/** A turn: the messages the model expected, and the list the agent was given and may keep. */
export interface Delivery {
  readonly name: string;
  readonly expected: readonly string[];
  readonly received: readonly BaseChatMessage[];
}

/** The error of a planned failure. */
export const PLANNED = 'planned to fail';

/** What the agents of one run share: the plan, the scheduler, and the record of deliveries. */
export class Room {
  readonly deliveries: Delivery[] = [];
  /** Called by an agent whose move is to cancel the run. */
  cancel: () => void = () => {};
  readonly #scheduler: Scheduler;
  #moves: Move[] = [];
  #count = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Sets the next moves; agents answer once they are used up. */
  plan(moves: readonly Move[]): void {
    this.#moves = [...moves];
  }

  nextMove(): Move {
    return this.#moves.shift() ?? { outcome: 'answer', events: 0, pick: this.#count };
  }

  /** A text no other message has. */
  text(author: string): string {
    this.#count += 1;
    return `${author}${this.#count}`;
  }

  /** Makes an agent that follows the plan, and whose answers `reply` words. */
  agent(
    name: string,
    mailboxes: Mailboxes,
    reply: (text: string, move: Move) => BaseChatMessage = (content) =>
      new TextMessage({ content, source: name }),
  ): StreamAgent {
    const room = this;
    const agent = new StreamAgent(name, async function* (messages) {
      const move = room.nextMove();
      const expected = mailboxes.due(name);
      room.deliveries.push({ name, expected, received: messages });
      for (let index = 0; index < move.events; index++) {
        await room.#scheduler.schedule(Promise.resolve());
        yield new ThoughtEvent({ content: 'hm', source: name });
      }
      await room.#scheduler.schedule(Promise.resolve());
      if (move.outcome === 'fail') throw new Error(PLANNED);
      if (move.outcome === 'refuse') throw Object.assign(new Error('refused'), { code: 'TRIPPED' });
      if (move.outcome === 'cancel') room.cancel();
      const message = reply(room.text(name), move);
      mailboxes.acknowledge(name, expected.length);
      mailboxes.post(message.toText(), name);
      yield { chatMessage: message };
    });
    return Object.assign(agent, { producedMessageTypes: [TextMessage, HandoffMessage] });
  }
}

/** An inner team whose turns the model of the outer team follows. */
export class InnerTeam extends RoundRobinGroupChat {
  readonly #outer: Mailboxes;
  readonly #inner: Mailboxes;

  constructor(
    name: string,
    room: Room,
    outer: Mailboxes,
    inner: Mailboxes,
    names: readonly string[],
  ) {
    super(
      names.map((member) => room.agent(member, inner)),
      { name, maxTurns: 2 },
    );
    this.#outer = outer;
    this.#inner = inner;
  }

  override async *runStream(options: RunOptions = {}): AsyncGenerator<ChatItem | TaskResult, void> {
    const due = this.#outer.due(this.name);
    for (const text of due) this.#inner.post(text);
    let result: TaskResult | undefined;
    for await (const item of super.runStream(options)) {
      if ('stopReason' in item) result = item;
      else yield item;
    }
    if (result === undefined) return;
    this.#outer.acknowledge(this.name, due.length);
    for (const message of result.messages) {
      if (message instanceof TextMessage) this.#outer.post(message.toText(), this.name);
    }
    yield result;
  }
}
