import { PATIENCE_MS, SLEEP_MS } from '../../src/detection/judgement.ts';
import {
  type Conversation,
  isTripped,
  type RequestInput,
  type Signal,
  type Step,
  type Trip,
  TrippedError,
} from '../../src/index.ts';
import { BudgetStoreError, type Outcome } from '../../src/kit.ts';
import { WHOLE } from './books.ts';
import { type Answer, BrokenOff, news, serve, work } from './outside.ts';
import { conversationOf, type Scene } from './scene.ts';
import type { Kind, Op, Party } from './world.ts';

/** A step that is under way. */
interface Inside {
  readonly op: Op;
  readonly step: Step;
}

const REFUSALS = 5;
/** Rounds of the same thing that no circuit stays closed for. */
const ROUNDS = 12;
/** What stops work that goes well. */
const DECLARED: ReadonlySet<string> = new Set(['manual', 'limit', 'budget']);

/** A conversation through {@link Conversation.run}: turns with model calls and tools, and everything that a caller may do. */
export class Chat {
  readonly #scene: Scene;
  readonly #party: Party;
  readonly #isLooping: boolean;
  /** How many turns it takes side by side, if it is looping. */
  readonly #sides: number;
  /** Whether it keeps its conversation, or looks it up for every turn. */
  readonly #isKeeping: boolean;
  #conversation: Conversation | undefined;
  #rounds = 0;
  #roundAt = 0;
  /** How long its models and its tools have taken in this round. */
  #tookMs: Record<'model' | 'tool', number> = { model: 0, tool: 0 };
  #epoch = 0;

  constructor(scene: Scene, party: Party) {
    this.#scene = scene;
    this.#party = party;
    this.#isLooping = party.random.oneIn(5);
    this.#sides = 1 + party.random.below(2);
    this.#isKeeping = party.random.oneIn(2);
    if (this.#isLooping) scene.looping.add(party.name);
    party.status = () => this.#current.state.status;
  }

  /** Lives through the whole conversation. */
  async live(): Promise<void> {
    const { random } = this.#party;
    const { scheduler } = this.#scene.world;
    const turns = this.#isLooping ? ROUNDS + 3 : 1 + random.below(40);
    let refusals = 0;
    await scheduler.pause(random.below(4_000));
    for (let turn = 0; turn < turns && refusals < REFUSALS; turn++) {
      const sides = this.#isLooping ? this.#sides : random.oneIn(6) ? 2 : 1;
      const outcomes = await Promise.all(Array.from({ length: sides }, () => this.#turn()));
      const trips = outcomes.filter((trip) => trip !== undefined);
      if (trips.length > 0) refusals++;
      this.#count(trips.length > 0);
      await scheduler.pause(random.below(trips.length > 0 ? 4_000 : 300));
    }
  }

  get #current(): Conversation {
    if (this.#conversation !== undefined && this.#isKeeping) return this.#conversation;
    const { world } = this.#scene;
    const conversation = conversationOf(this.#scene, this.#party);
    if (conversation === this.#conversation) return conversation;
    if (this.#conversation !== undefined) this.#party.beForgotten();
    this.#conversation = conversation;
    conversation.onOpen(() => world.endAll([this.#party], 'its circuit opened'));
    return conversation;
  }

  /** One that says the same over and over has to be stopped by now. Who waits for something may go on. */
  #count(isStopped: boolean): void {
    const { epoch, name } = this.#party;
    const now = this.#scene.world.scheduler.passed();
    const { model, tool } = this.#tookMs;
    // Of models that are asked side by side, not all of the time is known.
    const idleMs = now - this.#roundAt - (this.#sides === 1 ? model : 0);
    const isSlow = tool >= SLEEP_MS || idleMs >= PATIENCE_MS;
    this.#tookMs = { model: 0, tool: 0 };
    this.#rounds = isStopped || isSlow || epoch !== this.#epoch ? 0 : this.#rounds + 1;
    this.#epoch = epoch;
    this.#roundAt = now;
    if (!this.#isLooping || this.#rounds < ROUNDS) return;
    this.#scene.world.violate('a loop is stopped', `${name} goes on after ${this.#rounds} rounds`);
  }

  /** Takes a turn. Returns the trip that has refused or ended it. */
  async #turn(): Promise<Trip | undefined> {
    const { random, log } = this.#party;
    const { world, troubles } = this.#scene;
    const isAborting = troubles.has('aborts') && !this.#isLooping && random.oneIn(3);
    const controller = isAborting ? new AbortController() : undefined;
    const reason = new Error('given up');
    const abort = (): void => {
      const { ops } = this.#party;
      for (const op of ops) {
        if (op === own || op.within === own) world.due.push([op, 'its caller has given it up']);
      }
      world.note(`${this.#party.name} gives up`);
      controller?.abort(reason);
    };
    const alarm = isAborting ? world.scheduler.after(random.below(800), abort) : undefined;
    let own: Op | undefined;
    const at = (): number => Math.floor(world.scheduler.time);
    try {
      const text = await this.#step(
        'turn',
        { kind: 'turn', agent: this.#agent },
        undefined,
        controller?.signal,
        (inside) => this.#work(inside),
        (op) => {
          own = op;
        },
      );
      log.push(`${at()} said ${text}`);
    } catch (error) {
      if (isTripped(error)) return this.#tripped(error.trip, at());
      log.push(`${at()} failed: ${String(error)}`);
      const isExpected =
        error === reason || error instanceof BrokenOff || error instanceof ToolError;
      const isOfStore = this.#scene.store !== undefined && error instanceof BudgetStoreError;
      if (!isExpected && !isOfStore) world.violate('nothing else is thrown', String(error));
    } finally {
      if (alarm !== undefined) world.scheduler.clear(alarm);
    }
    return undefined;
  }

  #tripped(trip: Trip, at: number): Trip {
    const { kind, reason, evidence } = trip;
    const { name, log } = this.#party;
    log.push(`${at} stopped by ${kind}: ${reason}`);
    const isDeclared = DECLARED.has(kind) || evidence.subject === 'model calls that wait';
    if (!this.#isLooping && !isDeclared) {
      this.#scene.world.violate('healthy work goes on', `${name} is stopped by ${kind}: ${reason}`);
    }
    return trip;
  }

  /** What comes of one turn: model calls side by side, then tools side by side. */
  async #work(inside: Inside): Promise<string> {
    const { random } = this.#party;
    const calls = this.#isLooping || random.below(6) > 0 ? 1 : 2 + random.below(3);
    const tools = this.#isLooping ? 1 : random.oneIn(12) ? 12 : random.below(3);
    const answers = await Promise.all(Array.from({ length: calls }, () => this.#model(inside)));
    await Promise.all(Array.from({ length: tools }, () => this.#tool(inside)));
    return answers.map(({ text }) => text).join(' ');
  }

  #model(outer: Inside): Promise<Answer> {
    const { random, name } = this.#party;
    const { world } = this.#scene;
    const agent = this.#agent;
    const model = `model ${random.below(3)}`;
    const requestId = `${name}.${random.below(1e9)}`;
    const [inputTokens, maxOutputTokens] = [random.below(200), 20 + random.below(400)];
    const most = inputTokens + maxOutputTokens;
    const isTelling = random.oneIn(2);
    const isSilent = random.oneIn(15);
    const text = this.#isLooping ? 'Let me look into it.' : news(random);
    const request = { kind: 'model-request', agent, model, requestId } as const;
    const usage = { ...request, kind: 'usage', inputTokens: 0 } as const;
    const report = (outcome: Outcome<Answer>): Signal => {
      const at = world.scheduler.now();
      if ('value' in outcome)
        return { ...usage, at, ...(isSilent ? { outputTokens: 0 } : tokensOf(outcome.value)) };
      const { error } = outcome;
      const told = isTelling && error instanceof BrokenOff ? tokensOf(error) : { outputTokens: 0 };
      return { ...usage, at, ...told, error: { message: String(error) } };
    };
    return this.#step(
      'model',
      { ...request, inputTokens, maxOutputTokens },
      outer,
      undefined,
      async ({ op, step }) => {
        const { books } = world;
        const purses = [WHOLE, `agent ${agent}`, model, `conversation ${name} ${op.epoch}`];
        // A reset releases what is held for calls that were asked for before it.
        books.begin(op, most, op.at, purses);
        if (op.epoch !== this.#party.epoch) books.release((call) => call === op);
        try {
          const answer = await serve(world, op, text, most, step);
          books.end(op, isSilent ? undefined : answer.inputTokens + answer.outputTokens);
          return answer;
        } catch (error) {
          books.end(op, isTelling && error instanceof BrokenOff ? error.served : 0);
          throw error;
        }
      },
      undefined,
      report,
    );
  }

  #tool(outer: Inside): Promise<string> {
    const { random } = this.#party;
    const args = this.#isLooping ? { page: 1 } : { item: random.below(1e9) };
    const result = this.#isLooping ? 'nothing' : news(random);
    return this.#step(
      'tool',
      { kind: 'tool-call', agent: this.#agent, tool: 'look', args },
      outer,
      undefined,
      ({ step }) =>
        work(this.#scene.world, this.#party, step, {
          gives: () => result,
          fails: () => new ToolError(news(random)),
          failsIn: this.#isLooping ? 1e9 : 25,
        }),
    );
  }

  async #step<T>(
    kind: Kind,
    request: RequestInput,
    outer: Inside | undefined,
    given: AbortSignal | undefined,
    begun: (inside: Inside) => Promise<T>,
    asked?: (op: Op) => void,
    report?: (outcome: Outcome<T>) => Signal | undefined,
  ): Promise<T> {
    const { world } = this.#scene;
    const op = world.ask(this.#party, kind, outer?.op);
    const since = world.scheduler.passed();
    asked?.(op);
    const signal = given ?? outer?.step.signal;
    const options = { within: outer?.step.permit, signal, ...(report && { report }) };
    try {
      const begin = async (step: Step): Promise<T> => {
        world.begin(op, step.permit.isProbe);
        let hasFailed = true;
        try {
          const given = await begun({ op, step });
          hasFailed = false;
          return given;
        } finally {
          world.worked(op, hasFailed);
        }
      };
      const value = await this.#current.run(request, begin, options);
      world.end(op, 'done');
      return value;
    } catch (error) {
      world.end(op, error instanceof TrippedError ? error.trip.reason : String(error));
      throw error;
    } finally {
      if (kind !== 'turn') this.#tookMs[kind] += world.scheduler.passed() - since;
    }
  }

  get #agent(): string {
    return this.#scene.troubles.has('judge') ? `ann of ${this.#party.name}` : 'ann';
  }
}

/** A tool that did not work. */
class ToolError extends Error {}

function tokensOf({ inputTokens, outputTokens }: Answer | BrokenOff): Omit<Answer, 'text'> {
  return { inputTokens, outputTokens };
}
