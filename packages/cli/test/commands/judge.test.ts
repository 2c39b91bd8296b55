import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { said, writeLines } from '../support/recordings.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-judge-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const words = 'thank you so much for everything once more and all the best'.split(' ');
const thanks = Array.from({ length: 12 }, (_, i) =>
  said(i, 'thanks', `bot ${i % 2}`, [...words.slice(i), ...words.slice(0, i)].join(' ')),
);
const file = writeLines(join(folder, 'thanks.jsonl'), thanks);
const output = join(folder, 'page.html');
const commands = [['replay'], ['report', '-o', output], ['explain']];

/** Runs a command with a judge that answers, or refuses, each question. */
async function judged(args: readonly string[], status: number) {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      asked += 1;
      const content = JSON.stringify({ probability: 0.99, reason: 'The same thanks each time.' });
      const choices = [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content } },
      ];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'x', created: 1, model: 'm', choices }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('OPENAI_API_KEY', 'none');
  const ran = await runHere([...args, file, '--judge', `http://127.0.0.1:${port}/v1`]);
  await new Promise((resolve) => server.close(resolve));
  return { ...ran, asked };
}

describe('a judge on the command line', () => {
  it.each(commands)('[CJD1] is asked by %s', async (...args) => {
    const { asked, err } = await judged(args, 200);
    expect([asked > 0, err]).toEqual([true, '']);
  });

  it.each(commands)('[CJD2] is refused by %s without a key or an address', async (...args) => {
    vi.stubEnv('OPENAI_API_KEY', '');
    const keyless = await runHere([...args, file, '--judge', 'http://127.0.0.1:1/v1']);
    expect(keyless).toMatchObject({ code: 2, err: expect.stringContaining('set OPENAI_API_KEY') });
    const nowhere = await runHere([...args, file, '--judge', 'gpt-4o']);
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('the address of') });
  });

  it.each(['http://ann:secret@127.0.0.1:1/v1', 'http://127.0.0.1:1/v1?key=secret'])(
    '[CJD2] is refused where its address holds a key, which is not shown: %s',
    async (address) => {
      vi.stubEnv('OPENAI_API_KEY', 'none');
      const { code, err } = await runHere(['replay', file, '--judge', address]);
      expect([code, err]).toEqual([
        2,
        "teamfuse: option '--judge': expected an address without a user, a password, a query and a fragment\n",
      ]);
    },
  );

  it.each(commands)('[CJD3] that never answers ends %s with 4, saying why', async (...args) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { code, err } = await judged(args, 400);
    expect(warn).not.toHaveBeenCalled();
    expect([code, err]).toEqual([
      4,
      expect.stringMatching(
        /^teamfuse: the judge gpt-4o-mini at http:\S+ gives no usable answer: /,
      ),
    ]);
  });
});
