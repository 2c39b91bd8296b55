import Anthropic from '@anthropic-ai/sdk';
import { serve } from '@hono/node-server';
import { Agent } from '@mastra/core/agent';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { Runner } from '@openai/agents-core';
import { guardAgent } from '@teamfuse/adapter-ai-sdk';
import { guardGraph } from '@teamfuse/adapter-langchain';
import { guardAgent as guardMastraAgent } from '@teamfuse/adapter-mastra';
import { guardClient } from '@teamfuse/adapter-mcp';
import { guardRunner } from '@teamfuse/adapter-openai-agents';
import { Breaker } from '@teamfuse/core';
import { guardFetch } from '@teamfuse/wire';
import { createGateway } from '@teamfuse/wire/gateway';
import { ToolLoopAgent } from 'ai';
import { createAgent } from 'langchain';
import OpenAI from 'openai';

const breaker = new Breaker();
const model = 'openai/gpt-4o-mini';

export const guards = [
  guardAgent(new ToolLoopAgent({ model }), breaker),
  guardGraph(createAgent({ model: 'openai:gpt-4o-mini', tools: [] }), breaker),
  guardMastraAgent(new Agent({ id: 'clerk', name: 'clerk', instructions: '', model }), breaker),
  guardClient(new Client({ name: 'host', version: '1' }), breaker),
  guardClient(new NewClient({ name: 'host', version: '1' }), breaker),
  guardRunner(new Runner(), breaker),
];
export const sdks = [
  new OpenAI({ fetch: guardFetch(breaker) }),
  new Anthropic({ fetch: guardFetch(breaker) }),
];
serve({ fetch: createGateway({ upstream: 'https://api.openai.com', breaker }).fetch });
