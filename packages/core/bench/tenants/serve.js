import { createServer } from 'node:http2';

const CALL_USD = 0.01;
/** Model calls of a request that works, and how often all requests are made. */
export const CALLS = 2;
export const ROUNDS = 2;
const STREAMS = 500;
/** What a tenant does, by its number. */
const KINDS = ['loops', 'is poor', 'is stopped'];

export function kindOf(tenant) {
  return KINDS[tenant % 10] ?? 'works';
}

/** How many calls the poor may make. */
export const POOR_CALLS = 30;

/** Serves one agent for each request, on one breaker. All requests wait for each other, so that they are under way at once. */
export class AgentServer {
  /** Of this round. */
  trips = [];
  /** Model calls by user, of all rounds. */
  served = new Map();
  /** Requests that were under way at once. */
  most = 0;
  #core;
  #expected;
  #running = 0;
  #gate = withResolvers();
  #server;

  constructor(core, tenants, requests) {
    this.#core = core;
    this.#expected = tenants * requests;
    const numbers = Array.from({ length: tenants }, (_, tenant) => tenant);
    const poor = numbers.filter((tenant) => kindOf(tenant) === 'is poor');
    const users = poor.map((tenant) => [`t${tenant}`, { maxUsd: POOR_CALLS * CALL_USD }]);
    const perUser = { maxUsd: ROUNDS * CALLS * requests * CALL_USD };
    this.breaker = new core.Breaker({ budget: { perUser, users: Object.fromEntries(users) } });
    this.breaker.on('trip', ({ conversation, kind }) => this.trips.push({ conversation, kind }));
    this.stopped = numbers.filter((tenant) => kindOf(tenant) === 'is stopped');
    const settings = { maxConcurrentStreams: STREAMS };
    this.#server = createServer({ settings }, (request, response) => {
      this.#handle(request, response).catch((error) => response.writeHead(500).end(String(error)));
    });
  }

  async listen() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this.#server.address().port;
  }

  /** Another round may begin. */
  renew() {
    this.trips = [];
    this.#running = 0;
    this.#gate = withResolvers();
  }

  async close() {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request, response) {
    const user = request.headers['x-user'];
    const number = Number(user.slice(1));
    const tenant = this.breaker.for({ user });
    const chat = tenant.conversation(crypto.randomUUID());
    this.#running++;
    this.most = Math.max(this.most, this.#running);
    if (this.#running === this.#expected) {
      for (const stopped of this.stopped) this.breaker.for({ user: `t${stopped}` }).stop('unpaid');
      this.#gate.resolve();
    }
    await this.#gate.promise;
    try {
      await this.#work(chat, user, kindOf(number), request.url);
      response.writeHead(200).end('done');
    } catch (error) {
      if (!this.#core.isTripped(error)) throw error;
      const { kind } = error.trip;
      const status = { budget: 402, manual: 403 }[kind] ?? 503;
      response.writeHead(status).end(kind);
    }
  }

  /** Two model calls, each with a tool call that finds something; or the same one again and again. */
  async #work(chat, user, kind, path) {
    const rounds = kind === 'loops' ? 20 : CALLS;
    chat.observe({ kind: 'human-input', agent: user, text: `What is at ${path}?` });
    for (let round = 0; round < rounds; round++) {
      const call = {
        kind: 'model-request',
        agent: 'clerk',
        model: 'm',
        estimatedCostUsd: kind === 'loops' ? 0 : CALL_USD,
      };
      await chat.run(call, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        this.served.set(user, (this.served.get(user) ?? 0) + 1);
        return { usage: { prompt_tokens: 10, completion_tokens: 5, cost: call.estimatedCostUsd } };
      });
      const page = kind === 'loops' ? 0 : round;
      const search = { kind: 'tool-call', agent: 'clerk', tool: 'search', args: { path, page } };
      await chat.run(search, async () => `page ${page} of ${path}`);
    }
  }
}

function withResolvers() {
  let resolve;
  const promise = new Promise((given) => {
    resolve = given;
  });
  return { promise, resolve };
}
