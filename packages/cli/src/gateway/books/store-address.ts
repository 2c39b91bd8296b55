import { dirname, resolve } from 'node:path';
import type { Policy } from '@teamfuse/config';
import { InvalidOptionError } from '@teamfuse/core';

/** What can keep books. */
export type StoreKind = 'redis' | 'postgres' | 'sqlite';

/** Where books are kept. */
export interface StoreAddress {
  readonly kind: StoreKind;
  /** As it was given, with a password if there is one. */
  readonly address: string;
  /** As it may be shown: without a user, a password and options. */
  readonly shown: string;
}

const KINDS: ReadonlyMap<string, StoreKind> = new Map([
  ['redis:', 'redis'],
  ['rediss:', 'redis'],
  ['postgres:', 'postgres'],
  ['postgresql:', 'postgres'],
]);
/** One letter may be a drive of Windows. SQLite takes `:memory:` for no file, and nobody means one by an IP address with a port. */
const NO_PATH = /^(?:[a-z][a-z\d+.-]+:|:|\d+(?:\.\d+){3}:)/i;
const EXPECTED = 'redis://…, rediss://…, postgres://…, postgresql://… or the path of a file';
const UNREADABLE =
  'the address cannot be read; in its password, write / as %2F, # as %23, ? as %3F and @ as %40';

/** Reads an address. @throws {@link InvalidOptionError} without showing it: it may hold a password. */
export function storeAddress(address: string): StoreAddress {
  if (!NO_PATH.test(address)) return { kind: 'sqlite', address, shown: address };
  const [scheme = ''] = address.split('//', 1);
  const kind = KINDS.get(scheme.toLowerCase());
  if (kind === undefined) throw storeProblem(`expected ${EXPECTED}`);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // The path begins within the password where that holds a slash.
  if (url === undefined || url.pathname.includes('@')) throw storeProblem(UNREADABLE);
  return { kind, address, shown: `${url.protocol}//${url.host}${url.pathname}` };
}

/** The address that a policy names. A path in it begins at its folder. */
export function storeIn({ file, gateway }: Policy): string | undefined {
  const store = gateway?.store;
  if (store === undefined || NO_PATH.test(store)) return store;
  return resolve(dirname(file), store);
}

/** An error that shows no more of the option than the sentence does. */
export function storeProblem(sentence: string): InvalidOptionError {
  return new InvalidOptionError('--store', EXPECTED, undefined, `option '--store': ${sentence}`);
}
