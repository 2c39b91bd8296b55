import * as aiSdk from '@teamfuse/adapter-ai-sdk';
import * as langchain from '@teamfuse/adapter-langchain';
import * as mastra from '@teamfuse/adapter-mastra';
import * as mcp from '@teamfuse/adapter-mcp';
import * as openaiAgents from '@teamfuse/adapter-openai-agents';
import { Breaker } from '@teamfuse/core';
import * as wire from '@teamfuse/wire';

test('a limit opens the circuit', () => {
  const breaker = new Breaker({ maxMessages: 1 });
  const trip = breaker.observe({ kind: 'message', agent: 'writer', text: 'A first draft.' });
  expect(trip?.kind).toBe('limit');
});

test.each([
  [aiSdk.guardAgent],
  [langchain.guardGraph],
  [mastra.guardAgent],
  [mcp.guardClient],
  [openaiAgents.guardRunner],
  [wire.guardFetch],
])('%p is loaded', (guard) => {
  expect(typeof guard).toBe('function');
});
