import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { observe, readRecordings } from '@teamfuse/cli';
import { Breaker, type Trip } from '@teamfuse/core';
import { expect } from 'vitest';
import { playThroughGateway } from './played.ts';
import type { RecordedRun } from './recorded-runs.ts';

/** Nano-dollars for a token of gpt-4o-mini. */
const PRICE = { input: 150, output: 600 };

type Kinds = ReadonlyMap<string, readonly Trip['kind'][]>;

/** What a replay of their histories, as the command replays a file of chats, stops runs for. */
export async function replayed(runs: readonly RecordedRun[]): Promise<Kinds> {
  const folder = mkdtempSync(join(tmpdir(), 'teamfuse-recorded-'));
  const file = join(folder, 'chats.json');
  const chats = runs.flatMap(({ id, histories }) =>
    histories.map((chat_history, i) => ({ id: `${id}/${i}`, chat_history })),
  );
  writeFileSync(file, JSON.stringify(chats));
  const kinds = new Map<string, Trip['kind'][]>();
  for await (const { id, signals } of readRecordings(file, { broken: () => {} })) {
    const run = id.replace(/\/\d+$/, '');
    const breaker = new Breaker();
    for (const signal of signals) observe(breaker, signal, fail);
    const found = breaker.stopped.flatMap(({ trip }) => trip?.kind ?? []);
    if (found.length > 0) kinds.set(run, [...(kinds.get(run) ?? []), ...found]);
  }
  rmSync(folder, { recursive: true });
  return kinds;
}

function fail(error: unknown): never {
  throw error;
}

/** Has Python play these runs through a gateway, and compares what each call got and cost with the recordings. */
export async function checkServed(runs: readonly RecordedRun[]): Promise<void> {
  const { breaker, served, statuses, trips } = await playThroughGateway(runs);
  const recorded = runs.map(({ id, calls }) => [
    id,
    calls.map(({ answer }) => (answer ? 200 : 500)),
  ]);
  expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(recorded));
  expect(breaker.cost.tokens).toBe(served.input + served.output);
  expect(breaker.cost.nanoUsd).toBe(served.input * PRICE.input + served.output * PRICE.output);
  expect(trips).toEqual(await replayed(runs));
}
