import { connect, createServer, type Server, type Socket } from 'node:net';

/** Passes connections on to a server, which may be another one later. */
export class Forwarder {
  readonly #server: Server;
  readonly #pairs: Set<readonly [client: Socket, upstream: Socket]> = new Set();
  #target: number;
  #isClosed = false;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer({ noDelay: true }, (client) => this.#pass(client));
  }

  static async to(target: number): Promise<Forwarder> {
    const forwarder = new Forwarder(target);
    await new Promise<void>((resolve) => forwarder.#server.listen(0, '127.0.0.1', resolve));
    return forwarder;
  }

  get port(): number {
    return Object(this.#server.address()).port;
  }

  /** Sends connections to another server from now on, and breaks those that there are. */
  switchTo(target: number): void {
    this.#target = target;
    this.cut();
  }

  /** Lets nothing more of the server through. */
  hold(): void {
    for (const [, upstream] of this.#pairs) upstream.pause().removeAllListeners('data');
  }

  /** Breaks all connections. What was held is lost. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  #pass(client: Socket): void {
    // One that came just before the end.
    if (this.#isClosed) return void client.destroy();
    const upstream = connect({ port: this.#target, host: '127.0.0.1', noDelay: true });
    const pair = [client, upstream] as const;
    this.#pairs.add(pair);
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => client.write(bytes));
    const end = (): void => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
  }
}
