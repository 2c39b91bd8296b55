import { type Signal, type Trip, TrippedError } from '@teamfuse/core';
import { MemoryHistoryStore } from '@teamfuse/stores/history';
import { describe, expect, it } from 'vitest';
import * as kit from '../../src/index.ts';
import { runNested, takeTurn } from '../support/steps.ts';
import { setUp } from './verbs.ts';

function ofKind<K extends Signal['kind']>(signals: readonly Signal[], kind: K) {
  return signals.filter((signal) => signal.kind === kind);
}

const stopped = ({ reason }: Trip) => reason;

describe('nested work', () => {
  const nested = { name: 'inner', agent: 'ann', work: async () => 'done' };

  it('[ADP23] is triggered by its agent, without texts, unless it says otherwise', async () => {
    const { context, inside, signals } = setUp();
    await inside(() => runNested(context, nested));
    const place = { depth: 1, path: ['crew', 'inner'] };
    expect(signals).toMatchObject([
      { kind: 'nested-start', agent: 'ann', trigger: 'agent:ann', ...place },
      { kind: 'nested-end', agent: 'inner', ...place },
    ]);
    for (const signal of signals) expect(signal).not.toHaveProperty('text');
  });

  it('[ADP23] is reported with its task and what it came back with', async () => {
    const { context, inside, signals } = setUp();
    const summary = (text: string) => `It is ${text}.`;
    const work = { ...nested, trigger: 'tool:hire', text: 'Go', summary };
    await inside(() => runNested(context, work));
    expect(signals).toMatchObject([
      { kind: 'nested-start', trigger: 'tool:hire', text: 'Go' },
      { kind: 'nested-end', text: 'It is done.' },
    ]);
  });

  it('[ADP23] comes back with nothing if it fails', async () => {
    const { context, inside, signals, problems } = setUp();
    const work = () => Promise.reject(new Error('no luck'));
    const failing = inside(() => runNested(context, { ...nested, work, summary: (text) => text }));
    await expect(failing).rejects.toThrow('no luck');
    expect(ofKind(signals, 'nested-end')[0]).not.toHaveProperty('text');
    expect(problems).toEqual([]);
  });

  it.each([
    ['there', 'there'],
    [undefined, 'around'],
  ])('[KIT13] has the part %s of its place, or else the one around', async (local, expected) => {
    const { context, inside } = setUp();
    const work = async () => String(context.scope?.local);
    const more = local !== undefined && { local };
    expect(await inside(() => runNested(context, { ...nested, work, ...more }))).toBe(expected);
  });
});

describe('a team', () => {
  const team = { name: 'inner', work: async () => 'done', stopped };

  it('[ADP23] inside a run is nested work of the agent whose turn it is, or else its own', async () => {
    const { context, inside, signals } = setUp();
    const run = () => kit.runTeam(context, team);
    await inside(run);
    const turn = { agent: 'ann', work: run, said: () => undefined, rehearsed: '' };
    await inside(() => takeTurn(context, turn));
    const agents = ofKind(signals, 'nested-start').map(({ agent }) => agent);
    expect(agents).toEqual(['inner', 'ann']);
  });

  it('[ADP24] reports its task, if that is a text', async () => {
    const { context, signals, problems } = setUp();
    await kit.runTeam(context, team);
    expect([signals, problems]).toEqual([[], []]);
    await kit.runTeam(context, { ...team, task: 'Go' });
    expect(signals).toMatchObject([{ kind: 'human-input', agent: 'user', text: 'Go' }]);
  });

  it.each(['there', undefined])('[KIT13] works at a place with the part %s', async (local) => {
    const { context } = setUp();
    const work = async () =>
      JSON.stringify([Object.hasOwn(context.scope ?? {}, 'local'), context.scope?.local]);
    const more = local !== undefined && { local };
    const place = JSON.stringify([local !== undefined, local]);
    expect(await kit.runTeam(context, { ...team, work, ...more })).toBe(place);
  });

  it('[ADP19] fails as it does, if the caller has cancelled it', async () => {
    const { context } = setUp();
    const error = new TrippedError({ reason: 'enough' } as Trip);
    const work = () => Promise.reject(error);
    expect(await kit.runTeam(context, { ...team, work })).toBe('enough');
    const signal = AbortSignal.abort();
    await expect(kit.runTeam(context, { ...team, work, signal })).rejects.toBe(error);
  });

  it.each([
    [undefined, { outcome: 'failed', failure: { subject: 'TypeError' } }],
    [AbortSignal.abort(), { outcome: 'stopped' }],
    [new AbortController().signal, { outcome: 'failed', failure: { subject: 'TypeError' } }],
  ])('[ADP72] is kept as failed with its error unless the caller gave it up', async (...row) => {
    const [signal, record] = row;
    const store = new MemoryHistoryStore();
    const { context } = setUp({ history: { store, task: 'nightly' } });
    const work = () => Promise.reject(new TypeError('no number'));
    await expect(kit.runTeam(context, { ...team, work, signal })).rejects.toThrow('no number');
    expect(store.latest('nightly', 9)).toMatchObject([record]);
  });
});
