import * as adapterAgentchat from '@teamfuse/adapter-agentchat';
import * as adapterGroupchat from '@teamfuse/adapter-groupchat';
import * as adapterKit from '@teamfuse/adapter-kit';
import * as agentchat from '@teamfuse/agentchat';
import * as codeExecutors from '@teamfuse/code-executors';
import * as core from '@teamfuse/core';
import * as rx from '@teamfuse/core/rx';
import * as testing from '@teamfuse/core/testing';
import * as groupchat from '@teamfuse/groupchat';
import * as judge from '@teamfuse/judge';
import * as models from '@teamfuse/models';
import * as prices from '@teamfuse/prices';
import * as tokens from '@teamfuse/tokens';
import type { Block } from './blocks.ts';
import * as givenAgentchat from './given/agentchat.ts';
import * as givenAnywhere from './given/anywhere.ts';
import * as givenGroupchat from './given/groupchat.ts';
import { importsOf, type Source } from './module-of.ts';

const PACKAGES = {
  core,
  'core/rx': rx,
  'core/testing': testing,
  'adapter-kit': adapterKit,
  'adapter-agentchat': adapterAgentchat,
  'adapter-groupchat': adapterGroupchat,
  agentchat,
  groupchat,
  models,
  prices,
  tokens,
  judge,
  'code-executors': codeExecutors,
};
const OF_GROUPCHAT = /@teamfuse\/(?:adapter-)?groupchat/;
const ZOD: Source = new Map([['z', "import { z } from 'zod';"]]);

/** Where a block may take names from: a doc comment from our packages, its own first; every block from what is given. */
export function sourcesOf({ owner, code, file }: Block, earlier: readonly Block[]): Source[] {
  const isGroupchat = OF_GROUPCHAT.test(code) || /packages\/(?:adapter-)?groupchat\//.test(file);
  const given = [
    isGroupchat
      ? source('../given/groupchat.ts', givenGroupchat)
      : source('../given/agentchat.ts', givenAgentchat),
    source('../given/anywhere.ts', givenAnywhere),
  ];
  if (owner === undefined) return [...earlier.map(importsOf), ...given];
  const other = isGroupchat ? 'agentchat' : 'groupchat';
  const packages = Object.entries(PACKAGES)
    .filter(([name]) => name === owner || !name.endsWith(other) || name === `adapter-${owner}`)
    .sort(([name]) => (name.startsWith(owner) ? -1 : 1));
  return [...packages.map(([name, names]) => source(`@teamfuse/${name}`, names)), ZOD, ...given];
}

function source(module: string, exports: object): Source {
  return new Map(
    Object.keys(exports).map((name) => [name, `import { ${name} } from '${module}';`]),
  );
}
