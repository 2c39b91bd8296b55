type Fetch = (request: Request) => Promise<Response>;

/** A server on a free port of this machine. */
export interface Served {
  readonly port: number;
  stop(): Promise<unknown>;
}

interface Runtimes {
  readonly Bun?: { serve(options: object): { readonly port: number; stop(): Promise<void> } };
  readonly Deno?: {
    serve(options: object): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
  };
}

/** By a name that the compiler does not follow: the types of hono need TypeScript 5.7. */
const LIBRARY: string = '@hono/node-server';

interface Library {
  serve(
    options: object,
    listening: (at: { readonly port: number }) => void,
  ): { close(closed: (error?: Error) => void): void };
}

/** Serves with what the runtime brings: Bun, Deno, or Node with the library that is its own. */
export async function serve(fetch: Fetch): Promise<Served> {
  const { Bun, Deno } = globalThis as Runtimes;
  const where = { port: 0, hostname: '127.0.0.1' };
  if (Bun !== undefined) {
    const server = Bun.serve({ ...where, fetch });
    return { port: server.port, stop: () => server.stop() };
  }
  if (Deno !== undefined) {
    const server = Deno.serve({ ...where, handler: fetch, onListen() {} });
    return { port: server.addr.port, stop: () => server.shutdown() };
  }
  const node: Library = await import(LIBRARY);
  return new Promise((resolve) => {
    const server = node.serve({ ...where, fetch }, ({ port }) => {
      const stop = (): Promise<unknown> => new Promise((stopped) => server.close(stopped));
      resolve({ port, stop });
    });
  });
}
