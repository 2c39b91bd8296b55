import { Breaker } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { install } from '../src/index.ts';
import { group, speaker } from './support/agents.ts';
import { record, said } from './support/signals.ts';

describe('a trip that terminates', () => {
  test('[GCT1] two agents fall silent, and the result says why', async () => {
    const breaker = new Breaker({ maxMessages: 5 });
    const signals = record(breaker);
    const [a, b] = [speaker('A'), speaker('B')];
    const guard = install(breaker, [a, b]);
    const { chatHistory, stopReason } = await a.initiateChat(b, { message: 'hello' });
    expect(said(signals)).toEqual(['A: hello', 'B: I am B', 'A: I am A', 'B: I am B', 'A: I am A']);
    expect(chatHistory).toHaveLength(5);
    expect(stopReason).toBe('the declared limit is reached: number of messages, 5 of 5');
    expect(guard.trip?.reason).toBe(stopReason);
  });

  test('[GCT2] maxTurns over a group starts no further run', async () => {
    const breaker = new Breaker({ maxMessages: 5 });
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { groupchat, manager } = group(members);
    install(breaker, [...members, manager]);
    const [a = speaker('A')] = members;
    const { stopReason } = await a.initiateChat(manager, { message: 'hello', maxTurns: 50 });
    expect(groupchat.messages).toHaveLength(5);
    expect(stopReason).toBe(breaker.trip?.reason);
  });

  test('[GCT2] a recipient that is stopped under maxTurns gets no further turns', async () => {
    const breaker = new Breaker({ maxMessages: 3 });
    const [a, b] = [speaker('A'), speaker('B')];
    install(breaker, [a, b]);
    const { chatHistory } = await a.initiateChat(b, { message: 'hello', maxTurns: 50 });
    expect(chatHistory).toHaveLength(3);
  });
});
