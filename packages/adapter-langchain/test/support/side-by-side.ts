import { HumanMessage } from '@langchain/core/messages';
import { Breaker } from '@teamfuse/core';
import { createAgent } from 'langchain';
import { expect } from 'vitest';
import { guardGraph, tripOf } from '../../src/index.ts';
import { lookTool } from './looking.ts';
import { ScriptedModel } from './scripted-model.ts';

/** Has a graph run so often side by side, every other time in circles: no run takes part in another one's conversation. */
export async function runSideBySide(count: number): Promise<void> {
  const breaker = new Breaker();
  const places = new Map<string, Set<unknown>>();
  breaker.on('signal', ({ conversation, signal }) => {
    if (signal.kind !== 'tool-call') return;
    const seen = places.get(conversation) ?? new Set();
    places.set(conversation, seen.add(JSON.stringify(signal.args).split(' ')[0]));
  });
  const agent = createAgent({ model: fleetModel(), tools: [lookTool((at) => `seen ${at}`)] });
  guardGraph(agent, breaker, { judge: false });
  const runs = Array.from({ length: count }, (_, run) =>
    agent.invoke({ messages: [new HumanMessage(`${run % 2 === 0 ? 'loop' : 'work'} r${run}`)] }),
  );
  for (const [run, result] of (await Promise.all(runs)).entries()) {
    const loops = run % 2 === 0;
    expect(tripOf(result)?.kind).toBe(loops ? 'repetition' : undefined);
    expect(result.messages).toHaveLength(loops ? 7 : 10);
  }
  expect(places.size).toBe(count);
  expect([...places.values()].every(({ size }) => size === 1)).toBe(true);
  // A circuit that is open is kept.
  const kept = Object.keys(breaker.snapshot().conversations).filter((id) => id !== '');
  expect(kept).toHaveLength(count / 2);
}

/** A model that loops, or looks at four places, as its task says. */
function fleetModel(): ScriptedModel {
  return new ScriptedModel('fleet', ([task = '', ...rest]) => {
    const [way, run] = task.split(' ');
    const looks = rest.length / 2;
    if (way === 'work' && looks === 4) return { text: 'Done.' };
    const at = `${run} ${way === 'loop' ? 'sky' : looks}`;
    return { text: '', calls: [{ id: `${run}-${looks}`, tool: 'look', args: { at } }] };
  });
}
