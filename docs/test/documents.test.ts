import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Block, blocksOfComments, blocksOfDocuments, nameOf, ROOT } from './blocks.ts';
import { moduleOf } from './module-of.ts';
import { sourcesOf } from './sources.ts';

const FOLDER = fileURLToPath(new URL('.blocks', import.meta.url));
const blocks = [...blocksOfDocuments(), ...blocksOfComments()];
const model = new LLMock({ host: '127.0.0.1', port: 0, journalMaxEntries: 1 });

/** What the compiler says, by file. */
function compile(): ReadonlyMap<string, readonly string[]> {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['--noEmit', '--pretty', 'false', '-p', FOLDER], {
    encoding: 'utf8',
    cwd: FOLDER,
  });
  const problems = new Map<string, string[]>();
  for (const line of stdout.split('\n').filter((line) => line.includes('error TS'))) {
    const file = line.slice(0, line.indexOf('('));
    problems.set(file, [...(problems.get(file) ?? []), line]);
  }
  return problems;
}

describe('the code in the documents', () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const block of blocks) {
    const earlier = blocks.filter((other) => other.file === block.file && other.line < block.line);
    writeFileSync(join(FOLDER, nameOf(block)), moduleOf(block, sourcesOf(block, earlier)));
  }
  writeFileSync(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }),
  );
  const problems = compile();

  beforeAll(async () => {
    model.on({ endpoint: 'chat' }, () => ({ content: 'APPROVE' }));
    await model.start();
    process.env['OPENAI_BASE_URL'] = `${model.url}/v1`;
    process.env['OPENAI_API_KEY'] = 'none';
  });
  afterAll(() => model.stop());

  it.each(blocks)('[DOC1] compiles under strict: $file:$line', (block) => {
    expect(problems.get(nameOf(block)) ?? []).toEqual([]);
  });

  it.each(blocks.filter(({ notRun }) => notRun === undefined))(
    '[DOC2] runs as written: $file:$line',
    async (block) => {
      await import(join(FOLDER, nameOf(block)));
    },
  );
});
