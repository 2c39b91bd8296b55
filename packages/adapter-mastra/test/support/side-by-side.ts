import { Breaker, type Signal } from '@teamfuse/core';
import { expect } from 'vitest';
import { guardAgent, tripOf } from '../../src/index.ts';
import type { Way } from './contract-harness.ts';
import { everybody, looking, watcher } from './looking.ts';
import { type Choice, lookAt, network, typesOf } from './networks.ts';

const MANY = { maxSteps: 20 } as const;
/** Where many runs share a busy machine, the calls of one would look like polls that wait. */
const now = (): number => 0;

/** Has so many agents run side by side, every other one in circles: each run has a conversation of its own. */
export async function ownAgents(count: number): Promise<void> {
  const breaker = new Breaker({ now });
  const signals = new Map<string, Signal[]>();
  breaker.on('signal', ({ conversation, signal }) => {
    signals.set(conversation, [...(signals.get(conversation) ?? []), signal]);
  });
  const runs = Array.from({ length: count }, async (_, run) => {
    const loops = run % 2 === 0;
    const place = (at: number): string => (loops ? `${run}` : `${run} ${at}`);
    const { agent } = watcher(looking(loops ? 20 : 5, place), (at) => `seen ${at}`);
    guardAgent(agent, breaker);
    return agent.generate(`Look, ${run}.`, MANY);
  });
  for (const [run, result] of (await Promise.all(runs)).entries()) {
    expect(tripOf(result)?.kind).toBe(run % 2 === 0 ? 'repetition' : undefined);
    expect(result).toMatchObject({ steps: { length: run % 2 === 0 ? 3 : 6 } });
  }
  for (const told of signals.values()) {
    const places = told.flatMap((one) => (one.kind === 'tool-call' ? [one.args] : []));
    const whose = places.map((args) => String(Object(args).at).split(' ')[0]);
    expect(new Set(whose).size).toBeLessThanOrEqual(1);
  }
}

/** Calls one agent so often side by side. */
export async function oneAgent(count: number, way: Way): Promise<void> {
  const breaker = new Breaker({ now });
  const places = new Map<string, Set<string>>();
  breaker.on('signal', ({ conversation, signal }) => {
    if (signal.kind !== 'tool-call') return;
    const [run = ''] = String(Object(signal.args).at).split(' ');
    places.set(conversation, (places.get(conversation) ?? new Set()).add(run));
  });
  const { agent } = everybody();
  guardAgent(agent, breaker);
  const calls = Array.from({ length: count }, async (_, run) => {
    const result = await agent[way](`Look, ${run}.`, MANY);
    if ('consumeStream' in result) await result.consumeStream();
    return tripOf(result)?.kind;
  });
  const stopped = await Promise.all(calls);
  expect(stopped).toEqual(stopped.map((_, run) => (run % 2 === 0 ? 'repetition' : undefined)));
  expect([places.size, [...places.values()].every(({ size }) => size === 1)]).toEqual([
    count,
    true,
  ]);
}

/** Has one agent direct so many networks side by side. */
export async function networks(count: number): Promise<void> {
  const breaker = new Breaker({ now });
  const signals = new Map<string, Signal[]>();
  breaker.on('signal', ({ conversation, signal }) => {
    signals.set(conversation, [...(signals.get(conversation) ?? []), signal]);
  });
  const choose = (at: number, asked: string): Choice => {
    const run = Number(/Look, (\d+)/.exec(asked)?.[1]);
    return lookAt(run % 2 === 0 ? `${run}` : `${run} ${at}`);
  };
  const { agent } = network(choose, { results: Number.POSITIVE_INFINITY });
  guardAgent(agent, breaker);
  const runs = Array.from({ length: count }, async (_, run) => {
    const stream = await agent.network(`Look, ${run}.`, { maxSteps: 5 });
    await typesOf(stream);
    return tripOf(stream)?.kind;
  });
  for (const [run, kind] of (await Promise.all(runs)).entries()) {
    expect(kind).toBe(run % 2 === 0 ? 'repetition' : undefined);
  }
  for (const all of signals.values()) {
    const places = all.flatMap((one) => (one.kind === 'tool-call' ? [Object(one.args).at] : []));
    expect(new Set(places.map((at) => String(at).split(' ')[0])).size).toBeLessThanOrEqual(1);
  }
}
