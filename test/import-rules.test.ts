import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { machineUses } from './machine-uses.ts';
import { PACKAGE_FOLDERS } from './package-folders.ts';

/** Which of our packages each package may import; `type` means as types only. */
const MAY_IMPORT: Readonly<Record<string, Readonly<Record<string, 'value' | 'type'>>>> = {
  core: { prices: 'value' },
  prices: {},
  tokens: {},
  models: {},
  'code-executors': {},
  'python-compat': {},
  groupchat: {
    models: 'value',
    prices: 'value',
    'code-executors': 'value',
    'python-compat': 'value',
  },
  agentchat: { models: 'value', 'code-executors': 'value', 'python-compat': 'value' },
  'adapter-kit': { core: 'value', judge: 'value', prices: 'value', stores: 'value' },
  'adapter-groupchat': { core: 'value', 'adapter-kit': 'value', groupchat: 'type' },
  // Conditions are subclassed at run time: docs/decisions/0002-breaker-termination-is-a-subclass.md.
  'adapter-agentchat': { core: 'value', 'adapter-kit': 'value', agentchat: 'value' },
  'adapter-ai-sdk': { core: 'value', 'adapter-kit': 'value' },
  'adapter-langchain': { core: 'value', 'adapter-kit': 'value' },
  'adapter-mcp': { core: 'value', 'adapter-kit': 'value' },
  'adapter-mastra': { core: 'value', 'adapter-kit': 'value' },
  'adapter-openai-agents': { core: 'value', 'adapter-kit': 'value' },
  judge: { core: 'value', prices: 'value' },
  config: { core: 'value' },
  install: {
    core: 'value',
    config: 'value',
    'adapter-kit': 'value',
    'adapter-groupchat': 'value',
    'adapter-agentchat': 'value',
    'adapter-ai-sdk': 'value',
    'adapter-langchain': 'value',
    'adapter-mcp': 'value',
    'adapter-mastra': 'value',
    'adapter-openai-agents': 'value',
  },
  stores: { core: 'value' },
  testing: { core: 'value', stores: 'value', 'adapter-kit': 'type' },
  notify: { core: 'value' },
  otel: { core: 'value' },
  wire: { core: 'value', judge: 'value' },
  // Tests alone.
  clients: {},
  // The lock alone.
  recorder: { core: 'value', stores: 'value' },
  cli: {
    core: 'value',
    config: 'value',
    judge: 'value',
    models: 'value',
    otel: 'value',
    prices: 'value',
    recorder: 'value',
    stores: 'value',
    wire: 'value',
  },
  evals: { core: 'value', judge: 'value', cli: 'value' },
  conformance: {
    core: 'value',
    'adapter-agentchat': 'value',
    'adapter-groupchat': 'value',
    agentchat: 'value',
    groupchat: 'value',
    models: 'value',
    'code-executors': 'value',
  },
};

/**
 * The one file of core that may use the machine, and what for: the clock and the timers that options replace, and the ids
 * that tell breakers apart which share a store.
 */
const MACHINE: Readonly<Record<string, readonly string[]>> = {
  'packages/core/src/common/clock.ts': [
    'Date.now',
    'clearTimeout',
    'crypto',
    'randomUUID',
    'setTimeout',
  ],
};

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const IMPORT = /^\s*(?:import|export)\s+(type\s+)?([^'";]*?)from\s*'(@teamfuse\/[^']+)'/gm;

interface Import {
  readonly file: string;
  readonly imported: string;
  readonly isType: boolean;
}

interface Named {
  readonly name: string;
}

function sourceFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function importsOf(file: string): Import[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map((match) => {
    const names = (match[2] ?? '').replace(/[{}]/g, '').split(',');
    const isType =
      match[1] !== undefined ||
      names.every((name) => name.trim() === '' || name.trim().startsWith('type '));
    const imported = (match[3] ?? '').split('/')[1] ?? '';
    return { file, imported, isType };
  });
}

describe('packages', () => {
  it('[HOUSE1] are all covered by the import rules', () => {
    expect([...PACKAGE_FOLDERS.keys()].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it.each(Object.keys(MAY_IMPORT))('[HOUSE2] %s imports only what it may', (name) => {
    const rules = MAY_IMPORT[name] ?? {};
    const offences = sourceFiles(join(ROOT, PACKAGE_FOLDERS.get(name) ?? name, 'src'))
      .flatMap(importsOf)
      .filter(({ imported, isType }) => {
        const rule = imported === name ? 'value' : rules[imported];
        return rule === undefined || (rule === 'type' && !isType);
      })
      .map(({ file, imported }) => `${file.slice(ROOT.length)} imports ${imported}`);
    expect(offences).toEqual([]);
  });

  it('[HOUSE19] depend on none that depends on them, not even in tests', () => {
    const manifests = [...PACKAGE_FOLDERS.values()].map((folder) => {
      const text = readFileSync(join(ROOT, folder, 'package.json'), 'utf8');
      return JSON.parse(text) as Record<'dependencies' | 'devDependencies', object> & Named;
    });
    const needs = new Map(
      manifests.map(({ name, dependencies, devDependencies }) => [
        name,
        Object.keys({ ...dependencies, ...devDependencies }).filter((one) =>
          one.startsWith('@teamfuse/'),
        ),
      ]),
    );
    const reached = (name: string, found = new Set<string>()): Set<string> => {
      for (const next of needs.get(name) ?? []) {
        if (found.has(next)) continue;
        found.add(next);
        reached(next, found);
      }
      return found;
    };
    expect([...needs.keys()].filter((name) => reached(name).has(name))).toEqual([]);
  });

  it('[HOUSE3] core takes no clock, timer, randomness or environment but the defaults of one file', () => {
    const offences = sourceFiles(join(ROOT, 'packages/core/src'))
      .map((file) => [file.slice(ROOT.length), machineUses(readFileSync(file, 'utf8'))] as const)
      .filter(([file, uses]) => uses.length > 0 && !(file in MACHINE))
      .map(([file, uses]) => `${file} uses ${uses.join(', ')}`);
    expect(offences).toEqual([]);
  });

  it.each(Object.entries(MACHINE))('[HOUSE3] %s takes only its defaults', (file, allowed) => {
    const uses = machineUses(readFileSync(join(ROOT, file), 'utf8'));
    expect([...new Set(uses)].sort()).toEqual([...allowed].sort());
  });

  it.each([
    'const now = Date.now();',
    'const { now } = Date;',
    'const options = { now: Date.now };',
    'const at = new Date();',
    'const text = Date();',
    'const roll = Math.random();',
    "const roll = Math['random']();",
    'const { random } = Math;',
    'const roll = globalThis.Math.random();',
    'setTimeout(() => {}, 1);',
    'const timers = { set: setTimeout };',
    'globalThis.setTimeout(() => {}, 1);',
    "const set = globalThis['setTimeout'];",
    'const { setInterval: every } = globalThis;',
    'queueMicrotask(() => {});',
    'const at = performance.now();',
    'const id = crypto.randomUUID();',
    'const signal = AbortSignal.timeout(1);',
    'const variable = process.env.HOME;',
    "import { readFileSync } from 'node:fs';",
    "export { readFileSync } from 'node:fs';",
    "const fs = await import('node:fs');",
  ])('[HOUSE3] is broken by %s', (source) => {
    expect(machineUses(source)).not.toEqual([]);
  });

  it.each([
    'const at = new Date(0).toISOString();',
    'const at = Date.UTC(2026, 0);',
    'const most = Math.max(1, 2);',
    'const signal = AbortSignal.any([]);',
    'const made: Date = new Date(1);',
    'interface Timers { readonly setTimeout: unknown }',
    '/* setTimeout(later) */ const word = "Date.now()";',
    'const text = `setTimeout(`;',
  ])('[HOUSE3] is kept by %s', (source) => {
    expect(machineUses(source)).toEqual([]);
  });
});
