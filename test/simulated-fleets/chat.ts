import type { Detector } from '../../packages/core/src/detectors.ts';
import type { Breaker } from '../../packages/core/src/index.ts';
import type { CircuitLink } from './circuit-link.ts';
import type { Fleet, FleetMember } from './fleet.ts';

const CHAT = 'chat';
const KEY = `c${CHAT}`;
const STUCK = 'stuck';
const TURN = { kind: 'turn', agent: 'writer' } as const;
const ASK_MS = 500;
/** A probe that says nothing for fifteen seconds is another's, a while after a cut of the network. */
const DEAD_AFTER_MS = 15_000 + 6_000;
const ONE = 'an open circuit lets one probe through';

/** One conversation that all processes of a fleet share. Each asks for turns in it, and some of these are stuck. */
export class Chat {
  /** Trips with each message that says so; all else is progress. */
  static readonly detector = (): Detector => ({
    kind: 'custom:stuck',
    observe({ signal, index }) {
      if (signal.kind !== 'message' || signal.text !== STUCK) return undefined;
      const evidence = { agents: ['writer'], indices: [index], count: 1, limit: 1 };
      return { level: 'trip', kind: 'custom:stuck', reason: 'writer is stuck', evidence };
    },
    reset() {},
    snapshot: () => null,
    restore() {},
  });

  /** The probe that this process makes. */
  isProbing = false;
  /** When it was let through last while the circuit was not closed. */
  probedAt: number = Number.NEGATIVE_INFINITY;
  readonly link: CircuitLink;
  readonly #fleet: Fleet;
  readonly #member: FleetMember & { readonly breaker: Breaker };
  #turns = 0;

  constructor(
    fleet: Fleet,
    member: FleetMember & { readonly breaker: Breaker },
    link: CircuitLink,
  ) {
    this.#fleet = fleet;
    this.#member = member;
    this.link = link;
  }

  /** Asks for turns until the scene is over. */
  async live(): Promise<void> {
    const { world } = this.#fleet;
    const { machine, name } = this.#member;
    const random = world.chance(`chat of ${name}`);
    const pause = (ms: number) => new Promise<void>((resolve) => machine.after(ms, resolve));
    while (!this.#fleet.isOver) {
      await pause(ASK_MS / 2 + random.below(ASK_MS / 2));
      const isStuck = random.oneIn(this.isProbing ? 3 : 12);
      await this.#turn(isStuck ? STUCK : `${name} has found ${++this.#turns}`, () =>
        pause(random.oneIn(3) ? random.below(25_000) : random.below(1_000)),
      );
    }
  }

  /** The process was killed. Its probe has to be another's soon. */
  died(): void {
    const { world, server, members, scheduler } = this.#fleet;
    if (!this.isProbing) return;
    const { now } = scheduler;
    const since = now();
    scheduler.after(DEAD_AFTER_MS, () => {
      if (this.#fleet.isOver) return;
      const { state } = server.circuits.apply(KEY, { type: 'probe-failed', probeId: -1 }, 0);
      const isTaken = members.some(({ chat }) => chat.probedAt > since);
      if (state.status === 'half-open' && !isTaken)
        world.violate('the probe of the dead is given to others', 'nobody got it');
    });
  }

  async #turn(text: string, think: () => Promise<void>): Promise<void> {
    const chat = this.#member.breaker.conversation(CHAT);
    const admission = await chat.admit(TURN);
    if (!admission.isAdmitted) return;
    const { permit } = admission;
    if (permit.isProbe) this.#probe();
    await (permit.isProbe ? think() : undefined);
    this.isProbing = false;
    chat.observe({ kind: 'message', agent: 'writer', text });
    permit.release();
  }

  #probe(): void {
    if (this.link.isAlone) return;
    const { world, members, scheduler } = this.#fleet;
    const other = members.find(({ chat, isAlive }) => chat.isProbing && isAlive);
    if (other !== undefined) world.violate(ONE, `${other.name} and ${this.#member.name} probe`);
    this.isProbing = true;
    this.probedAt = scheduler.now();
  }
}
