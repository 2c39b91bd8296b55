import type { Breaker } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { ConversationPool } from './conversation-pool.ts';

/** Which conversations of a breaker belong to which team: no team gets one that another team has used. */
export class TeamConversations {
  readonly #breaker: Breaker;
  readonly #ofMember: WeakMap<object, ConversationPool> = new WeakMap();
  readonly #named: Map<string, WeakRef<ConversationPool>> = new Map();
  readonly #gone: FinalizationRegistry<Left> = new FinalizationRegistry((left) =>
    this.forget(left),
  );
  readonly #goneNamed: FinalizationRegistry<string> = new FinalizationRegistry((id) => {
    if (this.#named.get(id)?.deref() === undefined) this.#named.delete(id);
  });
  #hasFirst: boolean;

  constructor(breaker: Breaker) {
    this.#breaker = breaker;
    // The breaker of a tenant may be gone between two requests, and would not know of an earlier team.
    this.#hasFirst = internalsOf(breaker).prefix !== '';
  }

  /** Those of a new team: the main conversation for the first team, unless the breaker is a tenant's. */
  create(): ConversationPool {
    if (this.#hasFirst) return this.createFor(this.#breaker);
    this.#hasFirst = true;
    return this.named('');
  }

  /** New ones of this breaker or of the part of it that belongs to a tenant, which may be gone before they are. */
  createFor(breaker: Breaker): ConversationPool {
    const pool = new ConversationPool(breaker, internalsOf(breaker).conversations.newId());
    this.#gone.register(pool, leftOf(pool));
    return pool;
  }

  /** Those of a name. All guards with the same name share them. */
  named(id: string): ConversationPool {
    const known = this.#named.get(id)?.deref();
    if (known !== undefined) return known;
    const pool = new ConversationPool(this.#breaker, id);
    this.#named.set(id, new WeakRef(pool));
    this.#goneNamed.register(pool, id);
    return pool;
  }

  /** Those that all these members had when they were last guarded; otherwise new ones. */
  of(members: ReadonlySet<object>): ConversationPool {
    const pools = new Set([...members].map((member) => this.#ofMember.get(member)));
    const [known] = pools;
    return pools.size === 1 && known !== undefined ? known : this.create();
  }

  /** Those that an object stands for, such as the state of a run that may go on. */
  find(member: object): ConversationPool | undefined {
    return this.#ofMember.get(member);
  }

  /** Keeps those of a run that has ended for the object from which it may go on, while that exists. */
  keep(member: object, pool: ConversationPool): void {
    if (this.#ofMember.get(member) === pool) return;
    this.#ofMember.set(member, pool);
    this.#gone.register(pool, leftOf(pool));
  }

  /** Remembers the pool of these members while they exist. */
  remember(members: ReadonlySet<object>, pool: ConversationPool): void {
    for (const member of members) this.#ofMember.set(member, pool);
  }

  /** Forgets those of a removed guard, except those with an open circuit. */
  forget({ breaker, ids }: Left): void {
    for (const id of ids) internalsOf(breaker).conversations.forget(id);
  }
}

/** What is left of conversations that are gone. */
type Left = Pick<ConversationPool, 'breaker' | 'ids'>;

function leftOf({ breaker, ids }: ConversationPool): Left {
  return { breaker, ids };
}
