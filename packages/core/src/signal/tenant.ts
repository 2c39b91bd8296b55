import { InvalidOptionError } from '../common/errors.ts';
import { isRecord } from '../common/json.ts';
import { type OptionTable, readOptions } from '../common/option-table.ts';
import { safeName } from './parse-signal.ts';
import type { AdmissionRequest } from './request.ts';

/** Whom steps are taken for; at least one of the names. */
export interface TenantNames {
  /** The user. The purse is `budget.perUser`. */
  readonly user?: string;
  /** The team or the customer. The purse is `budget.perTeam`. */
  readonly team?: string;
  /** A name for the API key that pays, never the key itself. The purse is `budget.perKey`. */
  readonly key?: string;
}

const NAMES: OptionTable<TenantNames, keyof TenantNames> = {
  user: { type: 'text' },
  team: { type: 'text' },
  key: { type: 'text' },
};
const OWNERS = Object.keys(NAMES) as (keyof TenantNames)[];
const OWNED = 'an object with a user, a team or a key';

/**
 * Whom conversations belong to: the ids of all of a tenant's conversations begin with its prefix. A tenant of several names
 * belongs to the tenants of fewer of these names, and everybody to the one without a name.
 */
export class Tenant {
  readonly names: TenantNames;
  /** Such as `user:ann team:research/`; empty for everybody. */
  readonly prefix: string;
  /** The prefixes of all tenants that it belongs to: everybody first, its own last. */
  readonly prefixes: readonly string[];

  private constructor(names: TenantNames) {
    this.names = names;
    let parts: string[][] = [[]];
    for (const owner of OWNERS) {
      const name = names[owner];
      if (name === undefined) continue;
      const own = `${owner}:${escaped(name)}`;
      parts = parts.flatMap((others) => [others, [...others, own]]);
    }
    this.prefixes = parts
      .sort((a, b) => a.length - b.length)
      .map((given) => (given.length === 0 ? '' : `${given.join(' ')}/`));
    this.prefix = this.prefixes.at(-1) ?? '';
  }

  /** The tenant without a name. */
  static readonly everybody: Tenant = new Tenant({});

  /** The tenant that a conversation belongs to. */
  static of(id: string): Tenant {
    const end = id.indexOf('/');
    if (end < 0 || !/^(?:user|team|key):/.test(id)) return Tenant.everybody;
    const given = id.slice(0, end).split(' ');
    const names = Object.fromEntries(given.map((part) => nameIn(part)));
    const tenant = new Tenant(names);
    return id.startsWith(tenant.prefix) ? tenant : Tenant.everybody;
  }

  /** The tenant of these names within this one. @throws {@link InvalidOptionError} */
  named(given: TenantNames): Tenant {
    if (!isRecord(given)) throw new InvalidOptionError('names', OWNED, given);
    const names = readOptions<TenantNames, keyof TenantNames>('', given, NAMES);
    const found = OWNERS.filter((owner) => names[owner] !== undefined);
    if (found.length === 0) {
      // Otherwise whoever is not logged in would be everybody.
      const sentence = 'a tenant needs the name of a user, a team or a key';
      throw new InvalidOptionError('names', OWNED, given, sentence);
    }
    const own: Record<string, string> = { ...this.names };
    for (const owner of found) {
      const name = safeName(names[owner] ?? '');
      if (name === '') throw new InvalidOptionError(owner, 'a name that is not empty', '');
      if ((own[owner] ?? name) !== name) {
        throw new InvalidOptionError(owner, 'the name that this tenant has already', name);
      }
      own[owner] = name;
    }
    return new Tenant(own);
  }

  /** Whether a tenant belongs to this one. */
  has({ prefixes }: Tenant): boolean {
    return prefixes.includes(this.prefix);
  }

  /** A request that is made for the tenant. A model call gets its names, in place of all of its own: requests may come from strangers. */
  charged(request: AdmissionRequest): AdmissionRequest {
    if (request.kind !== 'model-request' || this.prefix === '') return request;
    const { user: _user, team: _team, key: _key, ...nameless } = request;
    return { ...nameless, ...this.names };
  }

  /** The whole id of a conversation: ids of the tenant's own are whole already. */
  idOf(id: string): string {
    return this.has(Tenant.of(id)) ? id : this.prefix + id;
  }
}

/** A name that neither ends an id's prefix nor a part of it. */
function escaped(name: string): string {
  return name.replace(/[% /]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
}

function nameIn(part: string): readonly [string, string] {
  const colon = part.indexOf(':');
  const name = part
    .slice(colon + 1)
    .replace(/%(20|25|2f)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return [part.slice(0, colon), name];
}
