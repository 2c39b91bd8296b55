import { hasMethods } from '@teamfuse/adapter-kit';

/** What a request names, and what it is given. */
export interface RequestParams {
  readonly name?: string;
  readonly uri?: string;
  readonly arguments?: unknown;
}

/** A client, of version 1 or 2, as far as a guard needs it. */
export interface GuardableClient {
  getServerVersion(): { readonly name: string } | undefined;
  callTool(params: never, ...rest: never[]): Promise<object>;
  readResource(params: never, ...rest: never[]): Promise<object>;
  getPrompt(params: never, ...rest: never[]): Promise<object>;
}

/** A member of a client that sends a request. */
export type Send = (params: RequestParams, ...rest: unknown[]) => Promise<object>;

/** Whether a value is an MCP client. */
export function isClient(value: unknown): value is GuardableClient {
  return hasMethods(value, 'callTool', 'readResource', 'getPrompt', 'getServerVersion');
}

/** The place of the options among what follows the parameters: version 1 of `callTool` has a schema before them. */
export function optionsAt(send: Send, member: string, rest: readonly unknown[]): number {
  if (member !== 'callTool' || send.length === 2) return 0;
  const [first] = rest;
  const isSchema = first === undefined || typeof Reflect.get(Object(first), 'parse') === 'function';
  return isSchema || rest.length > 1 ? 1 : 0;
}
