import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Message, said, system, user, Wiretap } from '../support/wiretap.ts';

const LONG = 'The lighthouse keeper counted the ships that came in before the storm, and wrote';

interface Recorded {
  readonly agent: string;
  readonly request: { readonly messages: readonly Message[] };
  readonly answer: object;
}

const RECORDED: readonly Recorded[] = readFileSync(
  new URL('../fixtures/group-chat.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

describe('a conversation', () => {
  test('[WIRE7] is told apart from another with the same opening as soon as they differ', async () => {
    const wiretap = new Wiretap();
    const [a, b] = [[user('Write a poem.')], [user('Write a poem.')]];
    await wiretap.ask(a, 'Roses are red.');
    await wiretap.ask(b, 'The sea is deep.');
    a.push(said('Roses are red.'), user('Go on.'));
    b.push(said('The sea is deep.'), user('Go on.'));
    await wiretap.ask(a, 'Violets are blue.');
    await wiretap.ask(b, 'The sky is high.');
    await wiretap.ask([...a, said('Violets are blue.'), user('Go on.')], 'Sugar is sweet.');
    const [first, second, ...more] = wiretap.conversations;
    expect(more).toEqual([]);
    const of = (id: string | undefined): string =>
      wiretap.told
        .filter(({ conversation }) => conversation === id)
        .map(({ signal }) => ('text' in signal ? signal.text : ''))
        .join(' ');
    expect(of(first)).toContain('Violets');
    expect(of(first)).not.toContain('sea');
    expect(of(second)).toContain('sea');
  });

  test('[WIRE7] of a group, its selector and all its agents is one', async () => {
    const wiretap = new Wiretap({}, { reaction: 'observe' });
    const conversations: string[] = [];
    wiretap.breaker.on('signal', ({ conversation, signal }) => {
      if (signal.kind === 'usage') conversations.push(conversation);
    });
    for (const { request, answer } of RECORDED) {
      wiretap.next = () => Response.json(answer);
      await wiretap.ask(request.messages, '');
    }
    // The last three are a nested chat and two calls of another program.
    const [group] = conversations;
    const inGroup = conversations.flatMap((id, i) => (id === group ? [i] : []));
    expect(inGroup).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18]);
  });

  test('[WIRE7] of a group tells each utterance once, and nothing of its selector', async () => {
    const wiretap = new Wiretap({}, { reaction: 'observe' });
    for (const { request, answer } of RECORDED.slice(0, 16)) {
      wiretap.next = () => Response.json(answer);
      await wiretap.ask(request.messages, '');
    }
    const agents = wiretap.heard.map((line) => /^\w+./.exec(line)?.[0]);
    expect(agents).toEqual([
      'user_proxy:',
      'coder:',
      'user_proxy$',
      'coder:',
      'user_proxy$',
      'coder:',
      'user_proxy$',
      'coder>',
      'coder:',
      'user_proxy$',
    ]);
  });

  test('[WIRE8] goes on after its history was cut at the front', async () => {
    const wiretap = new Wiretap();
    const all = [user('Tell me a story.')];
    for (let turn = 0; turn < 8; turn++) {
      const sent = [system('You tell stories.'), ...all.slice(-4)];
      const text = `${LONG} line ${turn}.`;
      await wiretap.ask(sent, text);
      all.push(said(text), user(`And then, part ${turn}?`));
    }
    expect(wiretap.conversations).toHaveLength(1);
    expect(wiretap.heard).toHaveLength(15);
    expect(new Set(wiretap.heard).size).toBe(15);
  });

  test('[WIRE8] goes on after its history was summed up, and only the summary is new', async () => {
    const wiretap = new Wiretap();
    const history = [user('Tell me a story.')];
    const texts = [0, 1, 2].map((turn) => `${LONG} line ${turn}.`);
    for (const text of texts) {
      await wiretap.ask(history, text);
      history.push(said(text), user(`More of ${text.slice(-7)}`));
    }
    const before = wiretap.heard.length;
    const summed = [user('So far: a keeper counts ships.'), ...history.slice(-2)];
    await wiretap.ask(summed, 'The end.');
    expect(wiretap.conversations).toHaveLength(1);
    expect(wiretap.heard.slice(before)).toEqual([
      `assistant: ${texts[2]}`,
      'user: More of line 2.',
    ]);
  });

  test('[WIRE8] is another one where a cut history holds nothing that it has said', async () => {
    const wiretap = new Wiretap();
    await wiretap.ask([user('Tell me a story.')], `${LONG} line 1.`);
    await wiretap.ask([user('Tell me a joke.'), said(`${LONG} nothing.`), user('Go on.')], 'Ha.');
    expect(wiretap.conversations).toHaveLength(2);
  });

  test('[WIRE9] has one step for a call that failed and was made again', async () => {
    const wiretap = new Wiretap();
    const history = [user('Write a poem.')];
    wiretap.next = () => Response.json({ error: { message: 'overloaded' } }, { status: 500 });
    await wiretap.ask(history, '');
    await wiretap.ask(history, 'Roses are red.');
    await wiretap.ask([...history, said('Roses are red.'), user('Go on.')], 'Violets are blue.');
    expect(wiretap.conversations).toHaveLength(1);
    expect(wiretap.heard).toEqual([
      'user: Write a poem.',
      'assistant: Roses are red.',
      'user: Go on.',
    ]);
  });

  test('[WIRE9] has a step more for each answer that led to nothing', async () => {
    const wiretap = new Wiretap({ conversation: 'one' });
    const history = [user('Write a poem.')];
    await wiretap.ask(history, 'Roses are red.');
    await wiretap.ask(history, 'Roses are blue.');
    await wiretap.ask(history, 'Roses are green.');
    expect(wiretap.heard).toEqual([
      'user: Write a poem.',
      'assistant: Roses are red.',
      'assistant: Roses are blue.',
    ]);
  });
});
