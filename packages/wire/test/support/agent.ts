/** The loop of an agent with one tool, as users write it with an SDK: it ends where the model calls nothing. */
export type Agent = (
  client: Client,
  task: string,
  tool: (args: unknown) => string,
) => Promise<string>;

/** How a client reaches its endpoint. */
export interface Client {
  readonly baseURL: string;
  readonly fetch: typeof fetch;
}
