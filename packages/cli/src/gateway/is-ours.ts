import type { IncomingMessage } from 'node:http';

const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether a request comes to this machine under its own name, or to a host with a token, and from no other page. */
export function isOurs(
  { headers: { host = '', origin }, socket }: IncomingMessage,
  token: string | undefined,
): boolean {
  if (origin !== undefined && hostOf(origin) !== host) return false;
  return token !== undefined || LOCAL.some((name) => host === `${name}:${socket.localPort}`);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
