import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, nameOf, ROOT } from './blocks.ts';
import { importsOf, type Source } from './module-of.ts';

/** Where each module of our packages lists its exports. */
const MODULES = {
  core: 'core/src/index.ts',
  'core/detectors': 'core/src/detectors.ts',
  'core/kit': 'core/src/kit.ts',
  'core/options': 'core/src/options.ts',
  'core/rx': 'core/src/rx.ts',
  'core/sharing': 'core/src/sharing.ts',
  'adapter-kit': 'adapter-kit/src/index.ts',
  'adapter-agentchat': 'adapter-agentchat/src/index.ts',
  'adapter-groupchat': 'adapter-groupchat/src/index.ts',
  agentchat: 'autogen/agentchat/src/index.ts',
  groupchat: 'autogen/groupchat/src/index.ts',
  models: 'models/src/index.ts',
  prices: 'prices/src/index.ts',
  testing: 'testing/src/index.ts',
  'testing/adapters': 'testing/src/adapters/index.ts',
  tokens: 'tokens/src/index.ts',
  judge: 'judge/src/index.ts',
  config: 'config/src/index.ts',
  install: 'install/src/index.ts',
  stores: 'stores/src/index.ts',
  'stores/fleet': 'stores/src/fleet/index.ts',
  'stores/history': 'stores/src/history/index.ts',
  'stores/redis': 'stores/src/redis/index.ts',
  'stores/postgres': 'stores/src/postgres/index.ts',
  notify: 'notify/src/index.ts',
  otel: 'otel/src/index.ts',
  recorder: 'recorder/src/index.ts',
  wire: 'wire/src/index.ts',
  'wire/gateway': 'wire/src/gateway/index.ts',
  'wire/reading': 'wire/src/reading/index.ts',
  'cli/watch': 'cli/src/watch/index.ts',
  'cli/testing': 'cli/src/testing/index.ts',
  'code-executors': 'code-executors/src/index.ts',
};
/** What doc comments take from packages of others. */
const FROM_OUTSIDE: Source = new Map([
  ['z', "import { z } from 'zod';"],
  ['OpenAI', "import OpenAI from 'openai';"],
]);
const OF_GROUPCHAT = /@teamfuse\/(?:adapter-)?groupchat|initiateChat/;
const LIST = /^export (type )?\{([^}]*)\}/gm;
const DECLARATION = /^export (?:async )?(interface|type|function|class|const) (\w+)/gm;

/** Where a block may take names from: a doc comment from our packages, its own first; every block from what is given. */
export function sourcesOf({ owner, code, file }: Block, earlier: readonly Block[]): Source[] {
  const isGroupchat =
    OF_GROUPCHAT.test(code) || /packages\/(?:adapter-|autogen\/)groupchat\//.test(file);
  const given = [
    isGroupchat ? givenBy('groupchat') : givenBy('agentchat'),
    givenBy('anywhere'),
    givenBy('board'),
    givenBy('formats'),
    givenBy('servers'),
  ];
  if (owner === undefined) return [...earlier.map(importsOf), ...earlier.map(exportsIn), ...given];
  const other = isGroupchat ? 'agentchat' : 'groupchat';
  const modules = Object.entries(MODULES)
    .filter(([name]) => name === owner || !name.endsWith(other) || name === `adapter-${owner}`)
    .sort(([name]) => (name.startsWith(owner) ? -1 : 1))
    .map(([name, index]) => exportsOf(`@teamfuse/${name}`, join('packages', index)));
  return [...modules, FROM_OUTSIDE, ...given];
}

function givenBy(name: string): Source {
  return exportsOf(`../given/${name}.ts`, `docs/test/given/${name}.ts`);
}

/** The import of each name, of types too, that a file exports. */
function exportsOf(module: string, file: string): Source {
  return exportsOfText(module, readFileSync(join(ROOT, file), 'utf8'));
}

/** What a block exports, for the blocks that follow it in its document. */
function exportsIn(block: Block): Source {
  return exportsOfText(`./${nameOf(block)}`, block.code);
}

function exportsOfText(module: string, text: string): Source {
  const listed = [...text.matchAll(LIST)].flatMap(([, type = '', list = '']) =>
    list.split(',').map((item) => `${type}${item.trim()}`),
  );
  const declared = [...text.matchAll(DECLARATION)].map(([, kind = '', name = '']) =>
    kind === 'interface' || kind === 'type' ? `type ${name}` : name,
  );
  return new Map(
    [...listed, ...declared].map((item) => [
      item.split(' ').at(-1) ?? '',
      `import { ${item} } from '${module}';`,
    ]),
  );
}
