import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { parsePolicy } from '@teamfuse/config';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Block,
  blocksOfComments,
  blocksOfDocuments,
  nameOf,
  policiesOfDocuments,
  ROOT,
} from './blocks.ts';
import { moduleOf } from './module-of.ts';
import { sourcesOf } from './sources.ts';

const FOLDER = fileURLToPath(new URL('.blocks', import.meta.url));
/** The blocks as they run: each with agents of its own, so that what it does to them is nothing to the next one. */
const RUN = fileURLToPath(new URL('.blocks-run', import.meta.url));
const GIVEN = /(?<=from '\.\.\/given\/\w+\.ts)(?=')/g;
/** Types of a package that carries none, from the folder of the blocks. */
const OPOSSUM = '../../../packages/core/test/support/opossum.d.ts';
const blocks = [...blocksOfDocuments(), ...blocksOfComments()];
const hasDocker = spawnSync('docker', ['info']).status === 0;
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

/** Why a block cannot run here, though it can elsewhere. */
function missingFor({ code }: Block): string | undefined {
  if (/new Sqlite\w+\(/.test(code) && !isBuiltin('node:sqlite')) return 'no node:sqlite here';
  if (/DockerCommandLine/.test(code) && !hasDocker) return 'no Docker here';
  return undefined;
}

describe('the code in the documents', () => {
  for (const place of [FOLDER, RUN]) {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
  }
  for (const block of blocks) {
    const earlier = blocks.filter((other) => other.file === block.file && other.line < block.line);
    const [name, text] = [nameOf(block), moduleOf(block, sourcesOf(block, earlier))];
    writeFileSync(join(FOLDER, name), text);
    writeFileSync(join(RUN, name), text.replace(GIVEN, `?${name}`));
  }
  writeFileSync(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts', OPOSSUM] }),
  );
  const problems = compile();
  const home = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'teamfuse-documents-'));

  beforeAll(async () => {
    // Offered this tool, it never does anything else.
    model.on({ endpoint: 'chat', toolName: 'get_weather' }, () => ({
      toolCalls: [{ name: 'get_weather', arguments: '{"city":"Emden"}' }],
    }));
    model.on({ endpoint: 'chat' }, () => ({ content: 'APPROVE' }));
    await model.start();
    vi.stubEnv('OPENAI_BASE_URL', `${model.url}/v1`);
    vi.stubEnv('OPENAI_API_KEY', 'none');
    copyFileSync(join(ROOT, 'packages/cli/test/fixtures/autogen-0.2.db'), join(folder, 'logs.db'));
    process.chdir(folder);
    for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockReturnValue();
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterAll(async () => {
    // Other files of tests may run in this process.
    Reflect.deleteProperty(globalThis, 'AI_SDK_TELEMETRY_INTEGRATIONS');
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.chdir(home);
    rmSync(folder, { recursive: true });
    await model.stop();
  });

  it.each(blocks)('[DOC1] compiles under strict: $file:$line', (block) => {
    expect(problems.get(nameOf(block)) ?? []).toEqual([]);
  });

  it.for(blocks.filter(({ notRun }) => notRun === undefined))(
    '[DOC2] runs as written: $file:$line',
    async (block, { skip }) => {
      const missing = missingFor(block);
      skip(missing !== undefined, missing);
      const { checks } = (await import(join(RUN, nameOf(block)))) as {
        checks?: Promise<void>[];
      };
      await Promise.all(checks ?? []);
    },
  );

  it.each(policiesOfDocuments())('[DOC3] is a policy: $file:$line', ({ code, file }) => {
    expect(() => parsePolicy(code, file)).not.toThrow();
  });
});
