import type { PostgresClient } from '../../packages/stores/src/postgres/index.ts';
import type { NodeRedisClient } from '../../packages/stores/src/redis/redis-client.ts';
import {
  AGREE,
  KEEP,
  RESERVE,
  RESTORE,
  SETTLE,
  TOTALS,
} from '../../packages/stores/src/redis/scripts.ts';
import type { Network } from './network.ts';
import { amountOf, figuresOf, purseOf, type SimulatedServer } from './server.ts';

type Answer = readonly string[];
type Command = (server: SimulatedServer, args: readonly string[]) => Answer;

const COMMANDS: Readonly<Record<string, Command>> = {
  [RESERVE.lua]: ({ books }, [id = '', usd, tokens, ...parts]) => {
    const [whole = { name: '' }, ...purses] = triples(parts).map((one) => purseOf(...one));
    const { isGranted, totals } = books.reserve(id, amountOf(usd, tokens), whole, purses);
    return [isGranted ? '1' : '0', ...figuresOf(totals)];
  },
  [SETTLE.lua]: ({ books }, [id = '', , usd, tokens, , ...purses]) =>
    figuresOf(books.settle({ id, actual: amountOf(usd, tokens), purses })),
  [TOTALS.lua]: ({ books }, [, ...purses]) => figuresOf(books.totals(purses)),
  [KEEP.lua]: ({ books }, ids) => books.keep(ids),
  [AGREE.lua]: (server, [own = '', known = '']) => [server.note('budget', own, known)],
  [RESTORE.lua]: ({ books }, known) => {
    for (const [name, usd, tokens] of triples(known)) books.raise(name, amountOf(usd, tokens));
    return [];
  },
};
const BY_SHA = new Map(
  [RESERVE, SETTLE, TOTALS, KEEP, AGREE, RESTORE].map(({ sha, lua }) => [sha, lua]),
);
/** The life of reservations, the window, and for how long settlements are known. */
const TIMES = 3;

/** A client of Redis. */
export function redisClientOf(server: SimulatedServer, network: Network): NodeRedisClient {
  const run = (lua: string, args: readonly string[]): Answer => {
    server.scripts.add(lua);
    const epoch = String(server.epoch);
    // With other books than those that the process knows, nothing changes.
    const isMeant = ['', epoch].includes(args.at(-1) ?? '');
    const answer = isMeant ? COMMANDS[lua]?.(server, args.slice(TIMES, -1)) : [];
    return [...(answer ?? []), epoch];
  };
  return {
    evalSha: (sha, { arguments: args }) =>
      network.send(() => {
        const lua = BY_SHA.get(sha) ?? '';
        if (!server.scripts.has(lua)) throw new Error('NOSCRIPT No matching script');
        return run(lua, args);
      }),
    eval: (lua, { arguments: args }) => network.send(() => run(lua, args)),
  };
}

type Values = readonly unknown[];
type Query = (server: SimulatedServer, values: Values) => unknown;

/** The budget, its window, and for how long settlements are known. */
const FIRST = 3;

const QUERIES: Readonly<Record<string, Query>> = {
  reserve: ({ books }, [, id, usd, tokens, names, usdLimits, tokensLimits]) => {
    const all = listOf(names).map((name, i) =>
      purseOf(name, listOf(usdLimits)[i], listOf(tokensLimits)[i]),
    );
    const [whole = { name: '' }, ...purses] = all;
    const { isGranted, totals } = books.reserve(String(id), amountOf(usd, tokens), whole, purses);
    return [isGranted ? '1' : '0', ...figuresOf(totals)];
  },
  settle: ({ books }, [, id, usd, tokens, names]) => {
    const purses = listOf(names).slice(1);
    return figuresOf(books.settle({ id: String(id), actual: amountOf(usd, tokens), purses }));
  },
  totals: ({ books }, [names]) => figuresOf(books.totals(listOf(names).slice(1))),
  keep: ({ books }, [, ids]) => books.keep(listOf(ids)),
};

/** A client of PostgreSQL. `isUndone` says whether the server undoes a transaction because of another one. */
export function postgresClientOf(
  server: SimulatedServer,
  network: Network,
  isUndone: () => boolean,
): PostgresClient {
  return {
    query: (sql, values = []) =>
      network.send(() => {
        if (isUndone()) throw Object.assign(new Error('could not serialize'), { code: '40001' });
        const name = /^SELECT teamfuse\.(\w+)/.exec(sql)?.[1];
        if (name !== undefined)
          return { rows: [{ answer: QUERIES[name]?.(server, values.slice(FIRST)) }] };
        const [what = '', own = '', known = ''] = values.map(String);
        return { rows: [{ value: server.note(what, own, known), noted: true }] };
      }),
  };
}

function listOf(list: unknown): readonly string[] {
  return list as readonly string[];
}

function triples(parts: readonly string[]): [string, string, string][] {
  return Array.from({ length: parts.length / 3 }, (_, i) => {
    const [name = '', usd = '', tokens = ''] = parts.slice(3 * i, 3 * i + 3);
    return [name, usd, tokens];
  });
}
