import { AI_SDK } from './ai-sdk.ts';
import type { Framework, FrameworkTarget } from './framework.ts';
import { LANGCHAIN } from './langchain.ts';
import { MASTRA } from './mastra.ts';
import { MCP } from './mcp.ts';
import { OPENAI_AGENTS } from './openai-agents.ts';

/** All of them. Each has a file of its own, and an entry here. */
export const FRAMEWORKS: readonly Framework[] = [AI_SDK, LANGCHAIN, MASTRA, MCP, OPENAI_AGENTS];

/** What each framework is guarded by, and what it is not. */
export const FRAMEWORKS_PAGE =
  'https://github.com/teamfuse/teamfuse/blob/main/docs/guides/frameworks.md';

/** What a target is in the framework that knows it. */
export function inFramework(target: unknown): FrameworkTarget | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  for (const framework of FRAMEWORKS) {
    const found = framework.recognise(target);
    if (found !== undefined) return found;
  }
  return undefined;
}
