import type { Agent } from '@mastra/core/agent';
import { Breaker, type Signal } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardAgent } from '../src/index.ts';
import { agent, model, tool } from './support/scripted.ts';

const STEPS = 8;

interface Asked {
  readonly tool: string;
  readonly args: object;
}

/** Lets a model ask for a call in each step. How often it is asked, and what is told of the calls. */
async function run(callOf: (step: number) => Asked) {
  let asked = 0;
  const scripted = model('v3', 'scripted', () => {
    const call = { id: `c${asked}`, ...callOf(asked++) };
    return { text: '', calls: [call] };
  });
  const look = tool('look', async ({ at }) => `${at} is blue`);
  const own = agent('watcher', scripted, { look });
  const breaker = new Breaker();
  const calls: Signal[] = [];
  breaker.on('signal', ({ signal }) => {
    if (signal.kind === 'tool-call') calls.push(signal);
  });
  const guard = guardAgent(own, breaker, { judge: false });
  await (own as unknown as Agent).generate('Look.', { maxSteps: STEPS });
  guard.uninstall();
  return { asked, calls, kind: breaker.stopped[0]?.trip?.kind };
}

describe('calls that reach no tool', () => {
  it.each([
    ['the tool does not exist', { tool: 'serch', args: { at: 'sky' } }],
    ['the tool has no name', { tool: '', args: {} }],
  ])('[MAS13] stop the agent at the third that is the same where %s', async (_, call) => {
    expect(await run(() => call)).toMatchObject({ asked: 3, kind: 'execution-storm' });
  });

  it('[MAS13] are told once each, and leave a healthy agent alone', async () => {
    const { asked, calls, kind } = await run((step) => ({
      tool: step < 2 ? 'serch' : 'look',
      args: { at: `star ${step < 2 ? 0 : step}` },
    }));
    expect({ asked, told: calls.length, kind }).toEqual({
      asked: STEPS,
      told: STEPS,
      kind: undefined,
    });
    expect(calls.filter((call) => 'error' in call)).toHaveLength(2);
  });
});
