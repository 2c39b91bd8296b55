import { randomUUID } from 'node:crypto';
import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyStoreContract } from '@teamfuse/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileHistoryStore } from '../../src/index.ts';
import { SQLITE_NODE, start } from '../support/sqlite-node.ts';

const COST = { nanoUsd: 0, tokens: 0, unpricedTokens: 0, isEstimate: false };
/** No process has this number. */
const NOBODY = 2 ** 30;

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'teamfuse-stores-'));
  file = join(folder, 'runs.json');
});
afterEach(() => rm(folder, { recursive: true }));

function run(at: number) {
  return { task: 'a', at, outcome: 'completed', cost: COST } as const;
}

describe('FileHistoryStore', () => {
  let files = 0;
  const make = () => new FileHistoryStore(join(folder, `${++files}.json`));
  for (const { id, title, check } of historyStoreContract(make)) it(`[${id}] ${title}`, check);

  it('[FIL1] keeps records for the next process, and leaves nothing else behind', async () => {
    await new FileHistoryStore(file).append(run(1));
    expect(await new FileHistoryStore(file).latest('a', 9)).toEqual([run(1)]);
    expect(await readdir(folder)).toEqual(['runs.json']);
  });

  it('[FIL10] makes the folder that it is in', async () => {
    file = join(folder, 'state', 'today', 'runs.json');
    const store = new FileHistoryStore(file);
    expect(await store.latest('a', 9)).toEqual([]);
    await store.append(run(1));
    expect(await store.latest('a', 9)).toEqual([run(1)]);
  });

  it('[FIL1] forgets the oldest beyond maxRuns', async () => {
    const store = new FileHistoryStore(file, { maxRuns: 2 });
    for (const at of [1, 2, 3]) await store.append(run(at));
    expect(await store.latest('a', 9)).toEqual([run(3), run(2)]);
  });

  it.skipIf(process.platform === 'win32')(
    '[FIL9] is for its owner alone, and neither read nor written through a link (needs a system other than Windows)',
    async () => {
      await new FileHistoryStore(file).append(run(1));
      await chmod(file, 0o666);
      const store = new FileHistoryStore(file);
      expect(await store.latest('a', 9)).toEqual([run(1)]);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const link = join(folder, 'link.json');
      await symlink(file, link);
      const linked = new FileHistoryStore(link);
      await expect(linked.append(run(2))).rejects.toThrow('link.json: expected a file, received a');
      await expect(linked.latest('a', 1)).rejects.toThrow('a symbolic link');
      expect(await store.latest('a', 9)).toEqual([run(1)]);
    },
  );

  it.each([
    ['{"version":1,"runs":[{"task"', 'JSON'],
    ['{"version":2,"runs":[]}', 'version: expected 1, received 2'],
    ['null', 'version: expected 1'],
    ['{"version":1,"runs":{}}', 'runs: expected an array'],
    ['{"version":1,"runs":[5]}', 'runs[0]: expected an object, received 5'],
    [JSON.stringify({ version: 1, runs: [run(1), { ...run(2), at: 'x' }] }), 'runs[1].at'],
  ])('[FIL2] names a corrupt file, and keeps it as it was: %s', async (text, problem) => {
    await writeFile(file, text);
    const store = new FileHistoryStore(file);
    const error = await store.append(run(3)).catch((reason) => reason);
    expect(error).toMatchObject({ name: 'CorruptFileError', code: 'CORRUPT_FILE', file });
    expect(error.message).toContain(problem);
    expect(await readFile(error.keptAs, 'utf8')).toBe(text);
    await store.append(run(4));
    expect(await store.latest('a', 9)).toEqual([run(4)]);
  });

  it.each([
    [{ ...run(2), at: 'x' }, 'record.at'],
    [{ ...run(2), task: undefined }, 'record.task'],
    [{ ...run(2), outcome: 'failed' }, 'record.failure'],
    [null, 'record'],
  ])(
    '[FIL7] refuses a record that nobody could read, and keeps the others: %j',
    async (bad, field) => {
      const store = new FileHistoryStore(file);
      await store.append(run(1));
      const refused = store.append(bad as never);
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_SNAPSHOT', field });
      expect(await store.latest('a', 9)).toEqual([run(1)]);
      expect(await readdir(folder)).toEqual(['runs.json']);
    },
  );

  it('[FIL8] removes what killed processes left, and nothing else', async () => {
    const draft = (pid: number, host = hostname()) =>
      `runs.json.lock.${randomUUID()}.${pid}.${encodeURIComponent(host)}`;
    const others = [
      ...['runs.json.1', 'runs.json.20260101', 'runs.json.draft-mine', 'other.json'],
      ...[draft(process.pid), draft(NOBODY, 'elsewhere')],
    ];
    for (const name of others) await writeFile(join(folder, name), 'mine');
    // Whoever is killed between creating a file and writing it leaves an empty one.
    await writeFile(join(folder, draft(NOBODY)), '');
    await writeFile(join(folder, `runs.json.draft-${randomUUID()}`), 'half');
    await new FileHistoryStore(file).append(run(1));
    expect(await readdir(folder)).toEqual([...others, 'runs.json'].sort());
  });

  it('[FIL3] takes over the lock of a process that has died', async () => {
    const owner = { id: 'x', pid: NOBODY, host: hostname() };
    await writeFile(`${file}.lock`, JSON.stringify(owner));
    await new FileHistoryStore(file).append(run(1));
    expect(await readdir(folder)).toEqual(['runs.json']);
  });

  it.each([
    ['whose number another process has now', { id: 'x', pid: process.pid, host: hostname() }],
    ['of another host', { id: 'x', pid: NOBODY, host: 'elsewhere' }],
    ['of nobody', undefined],
  ])('[FIL3] takes over a lock %s once it is older than a minute', async (_, owner) => {
    await writeFile(`${file}.lock`, owner === undefined ? '' : JSON.stringify(owner));
    const store = new FileHistoryStore(file, { lockTimeoutMs: 300 });
    const now = Date.now() / 1000;
    await utimes(`${file}.lock`, now - 50, now - 50);
    await expect(store.append(run(1))).rejects.toMatchObject({ code: 'LOCKED_FILE' });
    await utimes(`${file}.lock`, now - 61, now - 61);
    await store.append(run(2));
    expect(await readdir(folder)).toEqual(['runs.json']);
  });

  it('[FIL3] takes over from a process that died while taking over', async () => {
    const dead = JSON.stringify({ id: 'x', pid: NOBODY, host: hostname() });
    await writeFile(`${file}.lock`, dead);
    await writeFile(`${file}.lock.takeover`, dead);
    await new FileHistoryStore(file).append(run(1));
    expect(await readdir(folder)).toEqual(['runs.json']);
  });

  it.each([
    ['lives', { id: 'x', pid: process.pid, host: hostname() }],
    ['runs elsewhere', { id: 'x', pid: NOBODY, host: 'elsewhere' }],
  ])('[FIL4] says so when a process that %s keeps it locked', async (_, owner) => {
    await writeFile(`${file}.lock`, JSON.stringify(owner));
    const store = new FileHistoryStore(file, { lockTimeoutMs: 30 });
    await expect(store.append(run(1))).rejects.toMatchObject({
      name: 'LockedFileError',
      code: 'LOCKED_FILE',
      message: `${file} was locked for 30 ms; if no process uses it, delete ${file}.lock and ${file}.lock.takeover`,
    });
  });

  it.each([
    [{ maxRuns: 0 }, 'maxRuns'],
    [{ lockTimeoutMs: -1 }, 'lockTimeoutMs'],
    [{ max: 5 }, 'max'],
  ])('[FIL5] refuses options out of range: %j', (options, option) => {
    expect(() => new FileHistoryStore(file, options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', option }),
    );
  });
});

describe.skipIf(SQLITE_NODE === undefined)('processes that share a file', () => {
  it('[FIL6] lose no record of each other', async () => {
    const both = ['a', 'b'].map((task) => start('append.ts', file, task, '40'));
    await Promise.all(both.map(({ ended }) => ended));
    const store = new FileHistoryStore(file);
    for (const task of ['a', 'b']) {
      const kept = (await store.latest(task, 99)).map(({ at }) => at);
      expect(kept).toEqual([...Array(40).keys()].reverse());
    }
  });

  it('[FIL6] lose nothing that was kept when one is killed in the middle', async () => {
    const killed = start('append.ts', file, 'a', '100000');
    await killed.printed(20);
    await killed.kill();
    const store = new FileHistoryStore(file);
    await store.append(run(-1));
    const kept = (await store.latest('a', 100_000)).map(({ at }) => at);
    expect(kept.length).toBeGreaterThan(20);
    expect(kept.slice(1)).toEqual([...Array(kept.length - 1).keys()].reverse());
    expect(await readdir(folder)).toEqual(['runs.json']);
  });
});
