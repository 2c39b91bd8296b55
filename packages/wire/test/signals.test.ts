import { describe, expect, test } from 'vitest';
import { calling, result, said, system, user, Wiretap } from './support/wiretap.ts';

const signalsOf = (wiretap: Wiretap, kind: string) =>
  wiretap.told.map(({ signal }) => signal).filter((signal) => signal.kind === kind);

describe('what is read from traffic', () => {
  test('[WIRE2] tells the task and each answer once, however often the history is sent', async () => {
    const wiretap = new Wiretap();
    const history = [system('You write.'), user('Write a poem.')];
    await wiretap.ask(history, 'Roses are red.');
    history.push(said('Roses are red.'), user('Another one.'));
    await wiretap.ask(history, 'Violets are blue.');
    history.push(said('Violets are blue.'), user('Thank you.'));
    await wiretap.ask(history, 'You are welcome.');
    expect(wiretap.heard).toEqual([
      'user: Write a poem.',
      'assistant: Roses are red.',
      'user: Another one.',
      'assistant: Violets are blue.',
      'user: Thank you.',
    ]);
    expect(wiretap.conversations).toHaveLength(1);
  });

  test('[WIRE2] takes the first message for the task, and no later one', async () => {
    const wiretap = new Wiretap();
    await wiretap.ask([user('Sum up.')], 'Done.');
    await wiretap.ask([user('Sum up.'), said('Done.'), user('Shorter.')], 'Ok.');
    const kinds = wiretap.told.map(({ signal }) => signal.kind);
    expect(kinds.filter((kind) => kind === 'human-input')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'message')).toHaveLength(2);
  });

  test('[WIRE3] joins calls that were made side by side with their results', async () => {
    const wiretap = new Wiretap();
    const calls = calling(['a', 'weather', { city: 'Oslo' }], ['b', 'weather', { city: 'Rome' }]);
    const history = [user('Where is it warmer?')];
    await wiretap.ask(history, calls);
    history.push(calls, result('b', '{"celsius":24}'), result('a', '{"celsius":9}'));
    await wiretap.ask(history, 'In Rome.');
    expect(signalsOf(wiretap, 'tool-call')).toMatchObject([
      { tool: 'weather', args: { city: 'Rome' }, callId: 'b', result: { celsius: 24 } },
      { tool: 'weather', args: { city: 'Oslo' }, callId: 'a', result: { celsius: 9 } },
    ]);
  });

  describe('[WIRE103] what an answer says beside its calls', () => {
    const rows = Array.from({ length: 12 }, (_, i) => `row${i * 31}`);
    const reading = (row: string, content: string) => ({
      ...calling([row, 'read', { row }]),
      content,
    });

    test('is told once, before what came of them', async () => {
      const wiretap = new Wiretap();
      const answer = reading('row0', 'I shall read the row.');
      const history = [user('Read the rows.')];
      await wiretap.ask(history, answer);
      history.push(answer, result('row0', 'A crane.'));
      await wiretap.ask(history, 'It holds a crane.');
      history.push(said('It holds a crane.'), user('Thank you.'));
      await wiretap.ask(history, 'You are welcome.');
      expect(wiretap.heard).toEqual([
        'user: Read the rows.',
        'assistant: I shall read the row.',
        'assistant> read',
        'assistant: It holds a crane.',
        'user: Thank you.',
      ]);
    });

    test('may be the same each time, while the calls bring something new', async () => {
      const wiretap = new Wiretap();
      const history = [user('Read the rows.')];
      const remark =
        'Now I shall read the next row of the table, and write down what it says about the harbour.';
      for (const row of rows) {
        const answer = reading(row, remark);
        expect((await wiretap.ask(history, answer)).status).toBe(200);
        history.push(answer, result(row, `Crane ${row} lifts the ${row}.`));
      }
      expect((await wiretap.ask(history, 'Done.')).status).toBe(200);
    });
  });

  describe('[WIRE104] an answer is told as of when it came', () => {
    /** How often an agent may look at a build that goes on, if each look takes so long. */
    const looks = async (lookMs: number, content: string | null): Promise<number> => {
      const clock = { now: 0 };
      const wiretap = new Wiretap({}, { now: () => clock.now });
      const history = [user('Wait for the build.')];
      for (let i = 0; i < 20; i++) {
        const answer = { ...calling([`look${i}`, 'status', { job: 'build' }]), content };
        if ((await wiretap.ask(history, answer)).status !== 200) return i;
        clock.now += lookMs;
        history.push(answer, result(`look${i}`, 'running'));
      }
      return 20;
    };

    test.each([[null], ['Let me look at the build.']])(
      'so that a call beside %j takes its time',
      async (content) => {
        expect(await looks(11_000, content)).toBe(20);
        expect(await looks(1000, content)).toBe(3);
      },
    );

    test('and what follows as of the request', async () => {
      const clock = { now: 7 };
      const wiretap = new Wiretap({}, { now: () => clock.now });
      await wiretap.ask([user('Sum up.')], 'Done.');
      clock.now = 5000;
      await wiretap.ask([user('Sum up.'), said('Done.'), user('Shorter.')], 'Ok.');
      const at = (text: string) =>
        wiretap.told.find(({ signal }) => 'text' in signal && signal.text === text)?.signal.at;
      expect([at('Done.'), at('Shorter.')]).toEqual([7, 5000]);
    });
  });

  test('[WIRE3] takes a result that is marked as an error for a failure', async () => {
    const wiretap = new Wiretap();
    const ask = (messages: readonly object[], content: readonly object[]): Promise<Response> => {
      wiretap.next = () =>
        Response.json({
          id: crypto.randomUUID(),
          role: 'assistant',
          content,
          stop_reason: 'tool_use',
          usage: { input_tokens: 9, output_tokens: 3 },
        });
      const body = JSON.stringify({ model: 'claude-3-5-haiku-latest', max_tokens: 9, messages });
      return wiretap.fetch('https://api.example/v1/messages', { method: 'POST', body });
    };
    const called = (id: string) => ({ type: 'tool_use', id, name: 'read', input: { file: id } });
    const history: object[] = [{ role: 'user', content: 'Read both files.' }];
    await ask(history, [called('a'), called('b')]);
    history.push({ role: 'assistant', content: [called('a'), called('b')] });
    history.push({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'no such file', is_error: true },
        { type: 'tool_result', tool_use_id: 'b', content: 'twelve lines' },
      ],
    });
    await ask(history, [{ type: 'text', text: 'One is missing.' }]);
    expect(signalsOf(wiretap, 'tool-call')).toMatchObject([
      { args: { file: 'a' }, error: { message: 'no such file' } },
      { args: { file: 'b' }, result: 'twelve lines' },
    ]);
  });

  test('[WIRE4] reads code and what came of it as a run', async () => {
    const wiretap = new Wiretap();
    const code = '```python\nprint(1)\n```';
    const history = [user('Print one.')];
    await wiretap.ask(history, code);
    const report = user('exitcode: 1 (execution failed)\nCode output: no python', 'executor');
    await wiretap.ask([...history, said(code), report], 'Install it.');
    expect(signalsOf(wiretap, 'execution')).toMatchObject([
      { agent: 'executor', language: 'python', exitCode: 1, output: 'no python' },
    ]);
  });

  test('[WIRE4] reads a message with code that nobody ran as a message', async () => {
    const wiretap = new Wiretap();
    const code = '```python\nprint(1)\n```';
    await wiretap.ask([user('Print one.')], code);
    await wiretap.ask([user('Print one.'), said(code), user('Thank you.')], 'Welcome.');
    expect(signalsOf(wiretap, 'execution')).toEqual([]);
    expect(wiretap.heard).toContain(`assistant: ${code}`);
  });

  test('[WIRE5] names agents by their names in the history', async () => {
    const wiretap = new Wiretap();
    const task = user('Write a poem.', 'admin');
    const poem = { role: 'assistant', content: 'Roses are red.', name: 'poet' };
    await wiretap.ask([system('You write.'), task], poem);
    await wiretap.ask([system('You judge.'), task, user('Roses are red.', 'poet')], 'Too short.');
    await wiretap.ask(
      [system('You write.'), task, poem, user('Too short.', 'critic')],
      'Violets are blue.',
    );
    expect(wiretap.heard).toEqual([
      'admin: Write a poem.',
      'poet: Roses are red.',
      'critic: Too short.',
    ]);
    expect(wiretap.conversations).toHaveLength(1);
  });

  test('[WIRE5] numbers agents that have no names, by their system prompts', async () => {
    const wiretap = new Wiretap();
    await wiretap.ask([system('You write.'), user('Write a poem.')], 'Roses are red.');
    const seen = [system('You judge.'), user('Write a poem.'), user('Roses are red.')];
    await wiretap.ask(seen, 'Too short.');
    const agents = signalsOf(wiretap, 'usage').map((signal) => signal.agent);
    expect(agents).toEqual(['assistant', 'assistant 2']);
  });

  test('[WIRE6] takes the names of agent and conversation from headers, and keeps them', async () => {
    const wiretap = new Wiretap();
    const headers = {
      'x-teamfuse-agent': 'poet',
      'x-teamfuse-conversation': 'poem 7',
      'x-own': '1',
    };
    await wiretap.ask([user('Write a poem.')], 'Roses are red.', headers);
    expect(wiretap.conversations).toEqual(['poem 7']);
    expect(signalsOf(wiretap, 'usage')).toMatchObject([{ agent: 'poet' }]);
    expect(Object.fromEntries(wiretap.sent[0]?.headers ?? [])).toMatchObject({ 'x-own': '1' });
    expect([...(wiretap.sent[0]?.headers.keys() ?? [])].join()).not.toContain('teamfuse');
  });

  test('[WIRE6] takes them from options otherwise', async () => {
    const wiretap = new Wiretap({ agent: () => 'poet', conversation: 'poem 8' });
    await wiretap.ask([user('Write a poem.')], 'Roses are red.');
    expect(wiretap.conversations).toEqual(['poem 8']);
    expect(signalsOf(wiretap, 'usage')).toMatchObject([{ agent: 'poet' }]);
  });
});
