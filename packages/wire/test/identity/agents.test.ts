import { describe, expect, test } from 'vitest';
import { calling, type Message, result, system, user, Wiretap } from '../support/wiretap.ts';

const MAX_ROUNDS = 12;
const CLERK =
  'You are a clerk at the harbour office. Answer briefly, and look up what you do not know.';

describe('an agent without a name', () => {
  test.each([
    ['a clock', (round: number) => system(`${CLERK} It is 12:00:${round}.`)],
    ['notes', (round: number) => system(`${CLERK} Notes: ${'tides, '.repeat(round)}and ships.`)],
    ['another text each time', (round: number) => system(wordsOf(round))],
  ])(
    '[WIRE70] is one agent with %s in its system prompt, and its loop is stopped',
    async (_, prompt) => {
      const wiretap = new Wiretap();
      const rounds = await lookUp(wiretap, prompt, () => 'no hits');
      expect(rounds).toBeLessThanOrEqual(6);
      expect(wiretap.breaker.stopped[0]?.trip?.kind).toBe('repetition');
    },
  );

  test('[WIRE70] goes on with a clock in its system prompt while results are new', async () => {
    const wiretap = new Wiretap();
    const prompt = (round: number): Message => system(`${CLERK} It is 12:00:${round}.`);
    const rounds = await lookUp(wiretap, prompt, (round) => `Ships in port: ${wordsOf(round)}`);
    expect(rounds).toBe(MAX_ROUNDS);
    expect(askedBy(wiretap)).toEqual(['assistant']);
  });

  test('[WIRE70] is another one than that which handed a history over to it', async () => {
    const wiretap = new Wiretap();
    const prompt = (round: number): Message =>
      system(round % 4 < 2 ? CLERK : 'As the pilot, guide ships into the port and name the berth.');
    await lookUp(wiretap, prompt, (round) => `Ships in port: ${wordsOf(round)}`);
    expect(askedBy(wiretap)).toEqual(['assistant', 'assistant 2']);
  });
});

describe('an agent whose own words have no name', () => {
  test('[WIRE77] is called as the histories of others call it', async () => {
    const wiretap = new Wiretap();
    const texts: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const name = turn % 2 === 0 ? 'writer' : 'critic';
      const history = texts.map((text, at) =>
        at % 2 === turn % 2
          ? { role: 'assistant', content: text }
          : user(text, name === 'writer' ? 'critic' : 'writer'),
      );
      const text = `Part ${turn}: ${wordsOf(turn)}`;
      await wiretap.ask(
        [system(`As the ${name}, ${name} on.`), user('Begin.', 'user'), ...history],
        text,
      );
      texts.push(text);
    }
    expect(wiretap.conversations).toHaveLength(1);
    expect(askedBy(wiretap)).toEqual(['assistant', 'assistant 2', 'writer', 'critic']);
  });

  test('[WIRE77] is one selector, whatever it is shown', async () => {
    const wiretap = new Wiretap();
    const texts = [
      'The moon pulls the sea.',
      'Twice a day the water rises.',
      'Name the harbour, too.',
    ];
    const history: Message[] = [user('Write an article about tides.')];
    for (const [turn, text] of texts.entries()) {
      await wiretap.ask(history, text);
      history.push({ role: 'assistant', content: text }, user(`Go on after ${wordsOf(turn)}.`));
      await wiretap.ask(history, `So: ${wordsOf(turn + 3)}`);
      history.push(
        { role: 'assistant', content: `So: ${wordsOf(turn + 3)}` },
        user(wordsOf(turn + 6)),
      );
      const said = history.map(({ content }) => content).join('\n');
      if (turn > 0) await wiretap.ask([system(`Who speaks next after this?\n${said}`)], 'writer');
    }
    expect(wiretap.conversations).toHaveLength(1);
    expect(askedBy(wiretap).length).toBeLessThanOrEqual(2);
  });
});

/** An agent that looks the same thing up again. Returns how many calls passed. */
async function lookUp(
  wiretap: Wiretap,
  prompt: (round: number) => Message,
  found: (round: number) => string,
): Promise<number> {
  const history: Message[] = [user('When is high tide?')];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const call = calling([`call ${round}`, 'search', { query: 'tides' }]);
    const response = await wiretap.ask([prompt(round), ...history], call);
    if (response.status !== 200) return round;
    history.push(call, result(`call ${round}`, found(round)));
  }
  return MAX_ROUNDS;
}

function askedBy({ told }: Wiretap): readonly string[] {
  const asked = told.filter(({ signal }) => signal.kind === 'model-request');
  return [...new Set(asked.map(({ signal }) => signal.agent))];
}

const SYLLABLES = ['ka', 'lo', 'mi', 'ne', 'pu', 'ra', 'so', 'ti', 'vu', 'ze', 'bo', 'du', 'fe'];

/** Ten words that no other round has. */
function wordsOf(round: number): string {
  const word = (at: number): string =>
    [at, at * 3 + round, round * 5 + 1, round].map((i) => SYLLABLES[i % SYLLABLES.length]).join('');
  return Array.from({ length: 10 }, (_, at) => word(at)).join(' ');
}
