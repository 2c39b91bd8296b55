import { dirname } from 'node:path';
import { addLine } from './add-line.ts';
import type { Check } from './check.ts';
import { AI_SDK } from './frameworks/ai-sdk.ts';
import type { Framework } from './frameworks/framework.ts';
import { LANGCHAIN, LANGGRAPH } from './frameworks/langchain.ts';
import { MASTRA } from './frameworks/mastra.ts';
import { MCP_CLIENT, MCP_SDK } from './frameworks/mcp.ts';
import { OPENAI_AGENTS } from './frameworks/openai-agents.ts';
import { type Installed, versionIn } from './installed-packages.ts';

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
export function checkFrameworks(installed: Installed): Check[] {
  const { manifest, asked } = installed;
  if (manifest === undefined) return [];
  return FRAMEWORKS.filter((one) => asked.has(one.package)).map((framework) => {
    const version = versionIn(dirname(manifest), framework.package);
    return checkFramework(framework, version, installed);
  });
}

function checkFramework(framework: Framework, version: string, installed: Installed): Check {
  const { name, adapter, line, page, versions } = framework;
  const isGuarded = installed.packages.some((one) => one.name === adapter);
  const found = [framework.package, version].join(' ').trim();
  const major = Number.parseInt(version, 10);
  if (version !== '' && !versions.includes(major)) {
    const advice = `${adapter} supports versions ${versions.join(' and ')}: ${page}`;
    return { name, status: 'warn', found, advice };
  }
  if (isGuarded) return { name, status: 'ok', found: `${found}, with ${adapter}` };
  const advice = `${addLine([adapter], installed)}, and add: ${line} (${page})`;
  return { name, status: 'warn', found: `${found}, not guarded`, advice };
}
