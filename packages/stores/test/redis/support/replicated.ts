import { setTimeout as pause } from 'node:timers/promises';
import { Forwarder } from '../../../../../test/servers/forwarder.ts';
import { AT_ONCE, asked, startReplicaOf } from '../../../../../test/servers/redis-replica.ts';
import { type RedisServer, startRedis } from '../../../../../test/servers/redis-server.ts';

/** How long to wait for changes: at the end of a fleet there are none any more. */
const LONGEST_MS = 500;

/** A Redis with a replica, which takes its place when it is killed. Clients find the one in charge at one port. */
export class ReplicatedRedis {
  readonly #forwarder: Forwarder;
  /** What the replica hears of the primary. */
  #link: Forwarder;
  #primary: RedisServer;
  #replica: RedisServer;
  readonly #others: RedisServer[] = [];

  private constructor(
    forwarder: Forwarder,
    link: Forwarder,
    primary: RedisServer,
    replica: RedisServer,
  ) {
    this.#forwarder = forwarder;
    this.#link = link;
    this.#primary = primary;
    this.#replica = replica;
  }

  static async start(): Promise<ReplicatedRedis> {
    const primary = await startRedis(...AT_ONCE);
    const link = await Forwarder.to(primary.port);
    const replica = await startReplicaOf(link.port);
    return new ReplicatedRedis(await Forwarder.to(primary.port), link, primary, replica);
  }

  get port(): number {
    return this.#forwarder.port;
  }

  /** The primary itself. */
  get url(): string {
    return this.#primary.url;
  }

  get pid(): number {
    return this.#primary.pid;
  }

  /** From now on the replica hears nothing more of the primary. */
  holdBack(): void {
    this.#link.hold();
  }

  /** Kills the primary once it has something that its replica will never hear of. */
  async kill(): Promise<void> {
    this.holdBack();
    const until = Date.now() + LONGEST_MS;
    while (Date.now() < until && !(await this.#isAhead())) await pause(5);
    await this.#primary.kill();
  }

  /** How often a command was run by the primary, and by the replica. */
  async callsOf(command: string): Promise<readonly [primary: number, replica: number]> {
    const calls = async ({ url }: RedisServer): Promise<number> =>
      figureIn(await asked(url, ['INFO', 'commandstats']), `cmdstat_${command}:calls=`);
    return [await calls(this.#primary), await calls(this.#replica)];
  }

  /** A further replica of the primary. */
  async addReplica(): Promise<void> {
    this.#others.push(await startReplicaOf(this.#link.port));
  }

  /** Puts the replica in the place of the primary that was killed. */
  async promote(): Promise<void> {
    this.#others.push(this.#primary);
    await this.#link.close();
    this.#primary = this.#replica;
    await asked(this.#primary.url, ['REPLICAOF', 'NO', 'ONE']);
    this.#forwarder.switchTo(this.#primary.port);
  }

  /** The same, with a new replica of its own. */
  async restart(): Promise<void> {
    await this.promote();
    this.#link = await Forwarder.to(this.#primary.port);
    this.#replica = await startReplicaOf(this.#link.port);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#forwarder.close(), this.#link.close()]);
    for (const server of new Set([this.#replica, this.#primary, ...this.#others])) {
      // One that is asked to end waits for its replicas.
      await server.kill();
      await server.stop();
    }
  }

  async #isAhead(): Promise<boolean> {
    const [primary, replica] = await Promise.all(
      [this.#primary, this.#replica].map(async ({ url }) =>
        figureIn(await asked(url, ['INFO', 'replication']), 'master_repl_offset:'),
      ),
    );
    return Number(primary) > Number(replica);
  }
}

/** The number that follows a name, or 0. */
function figureIn(text: string, name: string): number {
  return Number.parseInt(text.split(name)[1] ?? '0', 10);
}
