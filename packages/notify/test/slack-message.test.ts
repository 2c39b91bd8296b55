import type { Trip } from '@teamfuse/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notificationOf } from '../src/notification.ts';
import { slackMessage } from '../src/slack-message.ts';
import { Hook } from './support/hook.ts';
import { notified, settled } from './support/notified.ts';

const nothing = { nanoUsd: 0, tokens: 0, unpricedTokens: 0, isEstimate: false };
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });

function tripOf(more: Partial<Trip>): Trip {
  return {
    kind: 'manual',
    basis: 'declared',
    conversation: '',
    reason: 'enough',
    at: 0,
    index: 0,
    agents: [],
    evidence: { agents: [], indices: [], signals: [], count: 1, limit: 1, cost: nothing },
    ...more,
  };
}

function messageOf(more: Partial<Trip>, attributes = {}, spent = nothing) {
  return slackMessage(notificationOf(tripOf(more), spent, attributes));
}

/** Every text object in a message. */
function textsIn(value: unknown): { type: string; text: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { text } = value as { text?: unknown };
  const own = typeof text === 'string' && 'type' in value ? [value as never] : [];
  return [...own, ...Object.values(value).flatMap(textsIn)];
}

describe('a message of Slack', () => {
  it('[NTF3] is sent with form slack', async () => {
    await using hook = await Hook.open();
    const all = notified(
      { url: hook.url, form: 'slack', attributes: { team: 'R&D', shift: 2 } },
      { budget: { perUser: { maxUsd: 1 } } },
    );
    all.breaker.for({ user: 'ann' }).trackCost(1.5, 'clerk');
    await settled(all);
    expect(hook.bodies).toEqual([
      {
        text: 'A team was stopped: budget',
        blocks: [
          { type: 'header', text: plain('A team was stopped') },
          {
            type: 'section',
            text: plain("the budget of user 'ann' ($1.00) is used up: $1.50 spent"),
          },
          {
            type: 'section',
            fields: [
              plain('Kind: budget'),
              plain('Basis: declared'),
              plain('Conversation: user:ann/'),
              plain('Agents: clerk'),
              plain('Purse: user:ann'),
              plain('Spent: $1.50, 0 tokens'),
            ],
          },
          { type: 'section', fields: [plain('team: R&amp;D'), plain('shift: 2')] },
          {
            type: 'context',
            elements: [
              plain("To continue, call breaker.raise({ users: { 'ann': { maxUsd: 3 } } })."),
            ],
          },
        ],
      },
    ]);
  });

  it('[NTF3] mentions nobody, whatever a team says', async () => {
    await using hook = await Hook.open();
    const all = notified({ url: hook.url, form: 'slack' });
    all.breaker.stop('<!channel> see <https://evil.example|the docs> & *obey*');
    await settled(all);
    expect(hook.bodies[0]?.text).toBe('A team was stopped: manual');
    expect(textsIn(hook.bodies)).toContainEqual(
      plain('&lt;!channel&gt; see &lt;https://evil.example|the docs&gt; &amp; *obey*'),
    );
  });

  it.each([
    [nothing, 'Spent: $0.0000, 0 tokens'],
    [{ ...nothing, nanoUsd: 12_345_678_900, tokens: 3 }, 'Spent: $12.35, 3 tokens'],
    [
      { ...nothing, nanoUsd: 1_500_000, tokens: 3, isEstimate: true },
      'Spent: about $0.0015, 3 tokens',
    ],
    [{ ...nothing, tokens: 3, unpricedTokens: 3 }, 'Spent: 3 tokens, 3 of them of unknown price'],
  ])('[NTF3] says what was spent, and no price that is unknown: %o', (spent, said) => {
    expect(textsIn(messageOf({}, {}, spent)).map(({ text }) => text)).toContain(said);
  });

  it('[NTF3] names the first agents and counts the others', () => {
    const agents = Array.from({ length: 11 }, (_, n) => `a${n}`);
    expect(textsIn(messageOf({ agents })).map(({ text }) => text)).toContain(
      'Agents: a0, a1, a2, a3, a4, a5, a6, a7 and 3 more',
    );
  });

  it('[NTF3] has no text that is empty, on several lines or invisible', () => {
    const [, reason] = textsIn(messageOf({ reason: '\u200b\n\u202e' }));
    expect(reason?.text).toBe('-');
    const [, lines] = textsIn(messageOf({ reason: 'one\n\n\u0000two' }));
    expect(lines?.text).toBe('one two');
  });

  it('[NTF3] holds nothing that Slack reads as a link or a mention, and not more than it takes', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_000 }),
      fc.string({ unit: fc.constantFrom('<', '>', '&', '!', '@', '🙂', '\n'), maxLength: 2_000 }),
      fc.constantFrom('<!channel>', '<@U1>', '&lt;!here&gt;', '<http://a.example|b>'),
    );
    const attributes = fc.dictionary(any, any, { maxKeys: 20 });
    const trips = fc.record({
      reason: any,
      conversation: any,
      agents: fc.array(any, { maxLength: 20 }),
      kind: any.map((name) => `custom:${name}` as const),
    });
    fc.assert(
      fc.property(trips, attributes, (trip, own) => {
        const message = messageOf(trip, own);
        const texts = textsIn(message);
        expect(new Set(texts.map(({ type }) => type))).toEqual(new Set(['plain_text']));
        for (const text of [message.text, ...texts.map((one) => one.text)]) {
          expect(text).not.toMatch(/[<>\n]|&(?!(?:amp|lt|gt);)/);
          expect(text).not.toMatch(/\p{Cs}/u);
          expect(text.length).toBeGreaterThan(0);
          expect(text.length).toBeLessThanOrEqual(2_000);
        }
        for (const block of message.blocks) {
          if ('fields' in block) expect(block.fields.length).toBeLessThanOrEqual(10);
        }
        const other = messageOf({ ...trip, reason: '', conversation: '', agents: [] });
        expect(message.text).toBe(other.text);
      }),
      { numRuns: 200 },
    );
  });
});
