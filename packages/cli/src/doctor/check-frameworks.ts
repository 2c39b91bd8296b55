import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fieldsOf } from '../transcript/values.ts';
import type { Check } from './check.ts';
import { AI_SDK } from './frameworks/ai-sdk.ts';
import type { Framework } from './frameworks/framework.ts';
import { LANGCHAIN, LANGGRAPH } from './frameworks/langchain.ts';
import { MASTRA } from './frameworks/mastra.ts';
import { MCP_CLIENT, MCP_SDK } from './frameworks/mcp.ts';
import { OPENAI_AGENTS } from './frameworks/openai-agents.ts';
import type { Installed } from './installed-packages.ts';

/** All of them. Each has a file of its own, and an entry here. */
const FRAMEWORKS: readonly Framework[] = [
  AI_SDK,
  LANGCHAIN,
  LANGGRAPH,
  MASTRA,
  MCP_SDK,
  MCP_CLIENT,
  OPENAI_AGENTS,
];

/** Checks whether the frameworks that a project uses are guarded. */
export function checkFrameworks({ manifest, packages }: Installed): Check[] {
  if (manifest === undefined) return [];
  const { dependencies, devDependencies } = fieldsOf(read(manifest)) ?? {};
  const asked = { ...fieldsOf(devDependencies), ...fieldsOf(dependencies) };
  return FRAMEWORKS.filter((one) => Object.hasOwn(asked, one.package)).map((framework) => {
    const isGuarded = packages.some(({ name }) => name === framework.adapter);
    const file = join(dirname(manifest), 'node_modules', framework.package, 'package.json');
    const { version } = fieldsOf(read(file)) ?? {};
    return checkFramework(framework, typeof version === 'string' ? version : '', isGuarded);
  });
}

function checkFramework(framework: Framework, version: string, isGuarded: boolean): Check {
  const { name, adapter, line, page, versions } = framework;
  const found = [framework.package, version].join(' ').trim();
  const major = Number.parseInt(version, 10);
  if (version !== '' && !versions.includes(major)) {
    const advice = `${adapter} supports versions ${versions.join(' and ')}: ${page}`;
    return { name, status: 'warn', found, advice };
  }
  if (isGuarded) return { name, status: 'ok', found: `${found}, with ${adapter}` };
  const advice = `npm install ${adapter}, and add: ${line} See ${page}`;
  return { name, status: 'warn', found: `${found}, not guarded`, advice };
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
