import { guardModel, runFor } from '../../packages/adapter-ai-sdk/src/index.ts';
import { Breaker, type BudgetStore, isTripped } from '../../packages/core/src/index.ts';
import { BudgetStoreError } from '../../packages/core/src/kit.ts';
import { news } from '../../packages/core/test/simulation/outside.ts';
import { shared } from '../../packages/stores/src/fleet/index.ts';
import { PostgresBudgetStore } from '../../packages/stores/src/postgres/index.ts';
import { RedisBudgetStore } from '../../packages/stores/src/redis/index.ts';
import type {
  ServerBudgetStore,
  ServerStoreOptions,
} from '../../packages/stores/src/server/index.ts';
import type { SeededRandom } from '../../packages/testing/src/seeded-random.ts';
import { Machine } from '../leases/machine.ts';
import { Chat } from './chat.ts';
import { CircuitLink } from './circuit-link.ts';
import { postgresClientOf, redisClientOf } from './clients.ts';
import type { Fleet, User } from './fleet.ts';
import { BrokenModel, type SharedModel, sharedModel } from './model.ts';
import { Network } from './network.ts';
import { Receipts } from './receipts.ts';
import { RESERVATION_MS } from './server.ts';

/** Three calls of the poor. */
export const POVERTY = 120;
const COOLDOWN_MS = 2_000;
export const LOCAL_SHARE = 0.1;
const MOST_OUTPUT = 20;
const UNCHECKED = /^the budget could not be checked/;

/** A process of a fleet: a breaker, and one model object that serves all users. */
export class Member {
  readonly name: string;
  readonly slot: number;
  /** Whether its options are not those of the others. */
  readonly isOdd: boolean;
  readonly machine: Machine;
  readonly network: Network;
  readonly store: ServerBudgetStore;
  readonly breaker: Breaker;
  readonly receipts: Receipts;
  readonly chat: Chat;
  /** The codes of the errors that it was told. */
  readonly told: string[] = [];
  /** The epoch of the books when it began. */
  readonly begunIn: number;
  /** Calls that are under way. */
  calls = 0;
  readonly #fleet: Fleet;
  readonly #model: SharedModel;
  readonly #random: SeededRandom;

  constructor(fleet: Fleet, slot: number, isOdd: boolean) {
    const { scheduler, server, members, troubles, world } = fleet;
    this.#fleet = fleet;
    this.slot = slot;
    this.isOdd = isOdd;
    this.name = `process ${members.length}`;
    this.begunIn = server.epoch;
    this.#random = world.chance(this.name);
    this.machine = new Machine(scheduler);
    this.network = this.#networkOf('budget', troubles.has('losses'));
    this.store = this.#open();
    this.receipts = new Receipts(fleet, this.store, this.told);
    const link = new CircuitLink(server, this.#networkOf('circuits', false), this.machine);
    const { now, timers } = this.machine;
    this.breaker = new Breaker({
      judge: false,
      now,
      timers,
      cooldownMs: COOLDOWN_MS,
      circuits: shared(link),
      detectors: [Chat.detector],
      budget: {
        perUser: { maxTokens: 1_000_000 },
        ...(fleet.maxTokens !== undefined && { maxTokens: fleet.maxTokens }),
        ...(troubles.has('poverty') && { users: { ann: { maxTokens: POVERTY } } }),
        store: this.receipts as BudgetStore,
        storeTimeoutMs: 60_000,
      },
    });
    this.breaker.on('error', ({ error, during }) => {
      if (during === 'store' && this.mayLose) return;
      world.violate('nothing else is thrown', `${this.name}, during ${during}: ${String(error)}`);
    });
    this.chat = new Chat(fleet, this, link);
    this.#model = guardModel(sharedModel(this.machine, this.#random, this.receipts), this.breaker);
  }

  /** Whether its questions may stay without an answer. */
  get mayLose(): boolean {
    const { troubles } = this.#fleet;
    return ['losses', 'cuts', 'evictions', 'deaths'].some((one) => troubles.has(one as never));
  }

  get isAlive(): boolean {
    return !this.machine.isDown;
  }

  /** A user asks the model, beside all others who do. */
  async ask(user: User): Promise<void> {
    const { world } = this.#fleet;
    const text = `${user}: ${news(this.#random)}`;
    const prompt = [{ role: 'user', content: [{ type: 'text', text }] }];
    this.calls++;
    try {
      await runFor(this.breaker, { user }, () =>
        this.#model.doGenerate({ prompt, maxOutputTokens: MOST_OUTPUT }),
      );
    } catch (error) {
      this.#check(user, error);
    } finally {
      this.calls--;
    }
    world.note(`${this.name}: a call of ${user} ends`);
  }

  /** Settles once the server has all. */
  async flushed(): Promise<void> {
    const { scheduler } = this.#fleet;
    while (this.store.unsettled > 0) {
      await this.store.flush().catch(() => {});
      await scheduler.pause(100);
    }
    await this.store.totals();
  }

  #check(user: User, error: unknown): void {
    const { world, maxTokens, troubles, failMode } = this.#fleet;
    if (error instanceof BrokenModel) return;
    if (isTripped(error)) {
      // While the server is away, a share of its own admits nothing in purses that it has never seen.
      if (this.mayLose && (failMode === 'local' || UNCHECKED.test(error.trip.reason))) return;
      const isPoor = user === 'ann' && troubles.has('poverty');
      if (isPoor || maxTokens !== undefined) return;
      world.violate('nobody pays or is stopped for another', `${user}: ${error.trip.reason}`);
    } else if (!(error instanceof BudgetStoreError) || !this.mayLose) {
      world.violate('nothing else is thrown', `${this.name}: ${String(error)}`);
    }
  }

  #networkOf(what: string, isRough: boolean): Network {
    const { scheduler, world } = this.#fleet;
    return new Network(scheduler, this.machine, world.chance(`${what} of ${this.name}`), isRough);
  }

  #open(): ServerBudgetStore {
    const { server, isRedis, failMode, disk, troubles, world } = this.#fleet;
    const { now, timers } = this.machine;
    const undoing = world.chance(`isolation of ${this.name}`);
    const options: ServerStoreOptions = {
      now,
      timers,
      failMode,
      localShare: LOCAL_SHARE,
      reservationMs: RESERVATION_MS,
      ...(this.isOdd && { settledMs: 7_200_000 }),
      // Who is undone asks again and again.
      ...(troubles.has('isolation') && { timeoutMs: 10_000 }),
      ...(disk && { journalFile: `${disk.folder}/${world.seed}/${this.slot}` }),
      onError: (error) => {
        const { code = String(error) } = Object(error);
        world.note(`${this.name} is told ${code}`);
        this.told.push(code);
      },
    };
    const isUndone = (): boolean => troubles.has('isolation') && undoing.oneIn(3);
    return isRedis
      ? new RedisBudgetStore(redisClientOf(server, this.network), options)
      : new PostgresBudgetStore(postgresClientOf(server, this.network, isUndone), options);
  }
}
