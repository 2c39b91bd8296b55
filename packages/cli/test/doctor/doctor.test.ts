import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Check } from '../../src/doctor/check.ts';
import { checkNode } from '../../src/doctor/node-version.ts';
import { type Ran, teamfuse } from '../support/bin.ts';
import { runHere } from '../support/run.ts';

let folder = '';
let projects = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'teamfuse-doctor-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a project of these files; packages are written as `name@version`, with what they depend on. */
function project(
  packages: Readonly<Record<string, readonly string[]>>,
  files: Readonly<Record<string, string>> = {},
): string {
  const place = join(folder, `${projects++}`);
  for (const [key, needed] of Object.entries(packages)) {
    const [path = '', version = '0.1.0'] = key.split('@@');
    const at = join(place, path);
    mkdirSync(at, { recursive: true });
    const dependencies = Object.fromEntries(needed.map((name) => [`@teamfuse/${name}`, '*']));
    writeFileSync(join(at, 'package.json'), JSON.stringify({ version, dependencies }));
  }
  mkdirSync(place, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  return place;
}

const CORE = 'node_modules/@teamfuse/core';
const JUDGE = 'node_modules/@teamfuse/judge';

const checksOf = ({ out }: Ran): Map<string, Check> =>
  new Map(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Check)
      .map((check) => [check.name, check]),
  );

describe('teamfuse doctor', () => {
  it('[DCT1] fails below Node 20.19 and says from where on there is SQLite', () => {
    expect(checkNode('20.18.3')).toMatchObject({
      status: 'fail',
      advice: expect.stringContaining('20.19'),
    });
    expect(checkNode('18.20.0').status).toBe('fail');
    expect(checkNode('20.19.0')).toMatchObject({
      status: 'ok',
      found: expect.stringContaining('without SQLite'),
    });
    expect(checkNode('24.0.0')).toEqual({ name: 'Node', status: 'ok', found: '24.0.0' });
  });

  it('[DCT2] [DCT4] lists packages with their versions, and ends with 0 where all is well', async () => {
    const place = project({ '': ['core', 'judge'], [CORE]: [], [JUDGE]: ['core'] });
    const ran = await teamfuse(['doctor', place, '--json']);
    const checks = checksOf(ran);
    expect(ran.code).toBe(0);
    expect(checks.get('@teamfuse/core')).toMatchObject({ status: 'ok', found: '0.1.0' });
    expect(checks.get('@teamfuse/judge')).toMatchObject({ status: 'ok', found: '0.1.0' });
    expect(checks.get('one copy of core')?.status).toBe('ok');
    const { out } = await runHere(['doctor', place]);
    expect(out).toContain('@teamfuse/judge');
    expect(out).toContain('All is well.');
  });

  it('[DCT2] fails with two copies of core, warns of mixed versions, and names what is missing', async () => {
    const place = project({
      '': ['core', 'judge', 'install'],
      [`${CORE}@@0.2.0`]: [],
      [JUDGE]: ['core'],
      [`${JUDGE}/${CORE}@@0.1.0`]: [],
    });
    const ran = await runHere(['doctor', place, '--json']);
    const checks = checksOf(ran);
    expect(ran.code).toBe(1);
    expect(checks.get('one copy of core')).toMatchObject({
      status: 'fail',
      found: `0.2.0 in ${CORE}; 0.1.0 in ${JUDGE}/${CORE}`,
    });
    expect(checks.get('versions')).toMatchObject({ status: 'warn', found: '0.1.0, 0.2.0' });
    expect(checks.get('@teamfuse/install')).toMatchObject({ status: 'fail' });
    const { out } = await runHere(['doctor', place]);
    expect(out).toContain('fail one copy of core: run npm dedupe');
  });

  it('[DCT2] fails where there is nothing of ours', async () => {
    const { code, out } = await runHere(['doctor', project({ '': [] })]);
    expect(code).toBe(1);
    expect(out).toContain('node ../teamfuse/tarballs/add.mjs core');
    expect(out).not.toContain('npm install @teamfuse');
  });

  it('[DCT2] fails where the manifest cannot be read, and reads one with the mark of UTF-8', async () => {
    for (const text of ['{"depend', '[]', '']) {
      const { code, out } = await runHere(['doctor', project({}, { 'package.json': text })]);
      expect(code).toBe(1);
      expect(out).toContain('package.json cannot be read');
    }
    const text = '\uFEFF{"dependencies":{"@teamfuse/core":"*"}}';
    const marked = project({ [CORE]: [] }, { 'package.json': text });
    const checks = checksOf(await runHere(['doctor', marked, '--json']));
    expect(checks.get('@teamfuse/core')?.status).toBe('ok');
  });

  it('[DCT6] finds a framework, and says the line that guards it', async () => {
    const manifest = (adapter: object): string =>
      JSON.stringify({ dependencies: { '@teamfuse/core': '*', ai: '^7.0.0', ...adapter } });
    const checkOf = async (version: string, adapter = {}): Promise<Check | undefined> => {
      const installed = { [CORE]: [], [`node_modules/ai@@${version}`]: [] };
      const own = Object.keys(adapter).map((name) => [`node_modules/${name}`, []]);
      const packages = { ...installed, ...Object.fromEntries(own) };
      const place = project(packages, { 'package.json': manifest(adapter) });
      return checksOf(await runHere(['doctor', place, '--json'])).get('AI SDK');
    };
    expect(await checkOf('7.0.173')).toMatchObject({
      status: 'warn',
      found: 'ai 7.0.173, not guarded',
      advice: expect.stringContaining('guardAgent(agent, breaker)'),
    });
    const adapter = { '@teamfuse/adapter-ai-sdk': '*' };
    expect(await checkOf('6.0.1', adapter)).toMatchObject({ status: 'ok' });
    expect(await checkOf('5.9.0', adapter)).toMatchObject({
      status: 'warn',
      advice: expect.stringContaining('versions 6 and 7'),
    });
  });

  it('[DCT6] finds LangChain and LangGraph, each with its line', async () => {
    const names = { langchain: '1.5.14', '@langchain/langgraph': '1.7.3' };
    const installed = Object.entries(names).map(([name, version]) => [
      `node_modules/${name}@@${version}`,
      [],
    ]);
    const manifest = JSON.stringify({ dependencies: { '@teamfuse/core': '*', ...names } });
    const packages = { [CORE]: [], ...Object.fromEntries(installed) };
    const place = project(packages, { 'package.json': manifest });
    const checks = checksOf(await runHere(['doctor', place, '--json']));
    expect(checks.get('LangChain')?.advice).toContain('guardGraph(agent, breaker)');
    expect(checks.get('LangGraph')?.advice).toContain('guardGraph(graph, breaker)');
  });

  it.each([
    ['MCP', '@modelcontextprotocol/sdk', '1.32.2'],
    ['MCP client', '@modelcontextprotocol/client', '2.4.0'],
  ])('[DCT6] finds %s, and says the line that guards it', async (name, framework, version) => {
    const dependencies = { '@teamfuse/core': '*', [framework]: '*' };
    const packages = { [CORE]: [], [`node_modules/${framework}@@${version}`]: [] };
    const place = project(packages, { 'package.json': JSON.stringify({ dependencies }) });
    expect(checksOf(await runHere(['doctor', place, '--json'])).get(name)).toMatchObject({
      status: 'warn',
      found: `${framework} ${version}, not guarded`,
      advice: expect.stringContaining('guardClient(client, breaker)'),
    });
  });

  /** A project with an SDK, the CLI and all that it brings along, added from tarballs. */
  function withSdk(sources: Readonly<Record<string, string>>, own: object = {}): string {
    const wire = 'node_modules/@teamfuse/wire';
    const packages = {
      [CORE]: [],
      [wire]: ['core'],
      'node_modules/@teamfuse/cli': ['core', 'wire'],
      'node_modules/openai@@6.49.0': [],
      'node_modules/@anthropic-ai/sdk@@0.95.1': [],
    };
    const sdks = { openai: '^6.0.0', '@anthropic-ai/sdk': '*' };
    const dependencies = { '@teamfuse/core': '*', '@teamfuse/cli': '*', ...sdks, ...own };
    const place = project(packages, { 'package.json': JSON.stringify({ dependencies }) });
    for (const [path, text] of Object.entries(sources)) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), text);
    }
    return place;
  }
  const checksIn = async (place: string): Promise<Map<string, Check>> =>
    checksOf(await runHere(['doctor', place, '--json']));
  const CLIENT = "import OpenAI from 'openai';\n";

  it('[DCT7] finds an SDK whose calls nothing guards, and says the line that does', async () => {
    // That others, such as the CLI, bring the guard along does not guard anything.
    const place = withSdk({
      'src/agent.ts': `${CLIENT}export const client = new OpenAI();\n`,
      'node_modules/other/index.js': "import '@teamfuse/wire';\n",
    });
    const checks = await checksIn(place);
    expect(checks.get('OpenAI SDK')).toEqual({
      name: 'OpenAI SDK',
      status: 'warn',
      found: 'openai 6.49.0, no guard in the sources',
      advice:
        'node ../teamfuse/tarballs/add.mjs wire (../teamfuse is the repository, after npm run pack there: https://github.com/teamfuse/teamfuse/blob/main/docs/getting-started.md), and add: new OpenAI({ fetch: guardFetch(breaker) }) (https://github.com/teamfuse/teamfuse/blob/main/docs/guides/traffic.md)',
    });
    expect(checks.get('Anthropic SDK')).toMatchObject({
      status: 'warn',
      found: '@anthropic-ai/sdk 0.95.1, no guard in the sources',
      advice: expect.stringContaining('new Anthropic({ fetch: guardFetch(breaker) })'),
    });
    const { out, code } = await runHere(['doctor', place]);
    expect(code).toBe(0);
    expect(out).not.toContain('All is well.');
  });

  it.each([
    ['guardFetch', { 'src/agent.ts': `${CLIENT}import { guardFetch } from '@teamfuse/wire';\n` }],
    ['a file of JavaScript', { 'lib/deep/er/main.mjs': "import('@teamfuse/wire');\n" }],
    ['breaker.run', { 'app.ts': `${CLIENT}breaker.run({ kind: 'model-request' }, ask);\n` }],
  ])('[DCT7] lets an SDK alone that is guarded by %s', async (_, sources) => {
    const place = withSdk(sources);
    const checks = await checksIn(place);
    expect(checks.get('OpenAI SDK')).toEqual({
      name: 'OpenAI SDK',
      status: 'ok',
      found: 'openai 6.49.0, with a guard',
    });
    expect((await runHere(['doctor', place])).out).toContain('All is well.');
  });

  it('[DCT7] says the line alone where the package is there', async () => {
    const checks = await checksIn(withSdk({ 'a.ts': CLIENT }, { '@teamfuse/wire': '*' }));
    expect(checks.get('OpenAI SDK')?.advice).toMatch(/^add: new OpenAI\(/);
  });

  it('[DCT8] adds from the folder that the tarballs of the project are in', async () => {
    for (const [tarballs, shown] of [
      ['tarballs', './tarballs'],
      ['../team fuse/tarballs', '"../team fuse/tarballs"'],
    ] as const) {
      const file = `${tarballs}/teamfuse-core-0.1.0.tgz`;
      const place = withSdk({ 'a.ts': CLIENT }, { '@teamfuse/core': `file:${file}` });
      const adviceOf = async (): Promise<string | undefined> =>
        (await checksIn(place)).get('OpenAI SDK')?.advice;
      expect(await adviceOf()).toContain('node ../teamfuse/tarballs/add.mjs wire (');
      mkdirSync(join(place, tarballs), { recursive: true });
      writeFileSync(join(place, tarballs, 'add.mjs'), '');
      expect(await adviceOf()).toMatch(`node ${shown}/add.mjs wire, and add: `);
    }
  });

  it('[DCT8] says for packages that are missing whether they are asked for as files', async () => {
    const manifest = {
      '@teamfuse/core': '*',
      '@teamfuse/judge': 'file:../t/judge.tgz',
      '@teamfuse/otel': '^0.1.0',
    };
    const dependencies = JSON.stringify({ dependencies: manifest });
    const checks = await checksIn(project({ [CORE]: [] }, { 'package.json': dependencies }));
    expect(checks.get('@teamfuse/judge')?.advice).toBe('npm install');
    expect(checks.get('@teamfuse/otel')?.advice).toContain('add.mjs otel (');
  });

  it('[DCT5] says that a folder is missing', async () => {
    const { code, out, err } = await runHere(['doctor', join(folder, 'nosuch')]);
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain('nosuch: there is no such folder');
  });

  it('[DCT3] fails with the line and what was expected where teamfuse.toml is wrong', async () => {
    const toml = 'cooldownMs = "15m"\n[teams.research]\nmaxMessages = "many"\n';
    const place = project({ '': ['core'], [CORE]: [] }, { 'teamfuse.toml': toml });
    const ran = await runHere(['doctor', place, '--json']);
    expect(ran.code).toBe(1);
    expect(checksOf(ran).get('teamfuse.toml')).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('teamfuse.toml:3:'),
      advice: expect.stringContaining('expected'),
    });
  });

  it('[DCT3] names the teams of one that is right', async () => {
    const toml = '[teams.research]\nmaxMessages = 40\n';
    const place = project({ '': ['core'], [CORE]: [] }, { 'teamfuse.toml': toml });
    const checks = checksOf(await runHere(['doctor', place, '--json']));
    expect(checks.get('teamfuse.toml')?.found).toBe('teamfuse.toml, teams research');
  });
});
