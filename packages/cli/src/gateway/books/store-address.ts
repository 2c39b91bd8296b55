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
/** One letter may be a drive of Windows. SQLite takes `:memory:` for no file. */
const NO_PATH = /^(?:[a-z][a-z\d+.-]+:|:)/i;
const EXPECTED = 'redis://…, rediss://…, postgres://…, postgresql://… or the path of a file';

/** Reads an address. @throws {@link InvalidOptionError} without showing it: it may hold a password. */
export function storeAddress(address: string): StoreAddress {
  if (!NO_PATH.test(address)) return { kind: 'sqlite', address, shown: address };
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const kind = KINDS.get(url?.protocol ?? '');
  if (url !== undefined && kind !== undefined && address.includes('://')) {
    return { kind, address, shown: `${url.protocol}//${url.host}${url.pathname}` };
  }
  throw storeProblem(`expected ${EXPECTED}`);
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
