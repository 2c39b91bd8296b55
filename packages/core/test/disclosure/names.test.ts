import { describe, expect, it } from 'vitest';
import { Breaker, explain } from '../../src/index.ts';
import { safeName } from '../../src/signal/parse-signal.ts';
import { leakedIn, SECRET_FORMS } from '../support/secret-forms.ts';

const SECRET = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
const OTHER = 'ghp_zyxwvutsrqponmlkjihgfedcba9876543210';

describe('a name that has the form of a secret', () => {
  it.each([
    ['an agent', { agent: SECRET, tool: 'look' }],
    ['a tool', { agent: 'clerk', tool: `password=hunter2secretpw ${SECRET}` }],
  ])('[RED14] is told of nowhere without its mark, as that of %s', (_, names) => {
    const breaker = new Breaker({ redact: false });
    const told: unknown[] = [];
    for (const event of ['trip', 'refusal', 'signal', 'finding', 'state'] as const) {
      breaker.on(event, (payload) => told.push(payload));
    }
    const chat = breaker.for({ user: SECRET, team: OTHER }).conversation('chat 7');
    for (let at = 0; at < 4; at++) {
      chat.observe({ kind: 'tool-call', ...names, args: {}, result: 'blue' });
    }
    const { trip } = chat;
    expect(trip?.kind).toBe('repetition');
    told.push(
      breaker.snapshot(),
      trip && explain(trip),
      chat.id,
      breaker.stopped.map(({ id }) => id),
    );
    const output = JSON.stringify(told);
    for (const secret of [SECRET, OTHER, 'hunter2']) expect(output).not.toContain(secret);
    expect(output).toContain('[redacted]');
  });

  it('[RED14] stays apart from others, and is the same whenever it is told', () => {
    for (const [name, text, secret] of SECRET_FORMS) {
      const told = safeName(text);
      expect(leakedIn(told, [[name, text, secret]])).toEqual([]);
      expect(safeName(told)).toBe(told);
      expect(safeName(`${text}!`)).not.toBe(told);
    }
    for (const plain of [
      'writer',
      'user 42',
      'b7f3c1e0-9a58-4c1b-8f6e-2d1a9c7e5f00',
      'ann@example.org',
    ]) {
      expect(safeName(plain)).toBe(plain);
    }
  });

  it('[RED14] has the limits that are declared for it', async () => {
    const users = { [SECRET]: { maxUsd: 1 } };
    const breaker = new Breaker({
      budget: { users },
      throttle: { users: { [SECRET]: { maxConcurrent: 1 } } },
    });
    const [one, other] = [SECRET, OTHER].map((user) => breaker.for({ user }));
    one?.trackCost(2);
    other?.trackCost(2);
    expect([one, other].map((tenant) => tenant?.conversation().trip?.kind)).toEqual([
      'budget',
      undefined,
    ]);
  });
});
