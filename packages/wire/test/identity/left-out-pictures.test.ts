import { describe, expect, test } from 'vitest';
import { type Message, said, system, user, Wiretap } from '../support/wiretap.ts';

const TASK = 'Find the cheapest lamp of brass in the shop of the harbour.';
const STEPS = 8;

const picture = (seed: string): object => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${btoa(seed.repeat(40))}` },
});
const shows = (text: string, seed: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }, picture(seed)],
});

/** What an agent sends in a step: `before` are its answers so far, each of which a page follows. */
type Sends = (before: readonly string[]) => readonly Message[];

const pageOf = (step: number): string => (step === 0 ? TASK : `The page after step ${step}.`);

/** Pages and answers in turn. `kept` pages have their pictures, the others are what `left` makes of them. */
function pages(kept: number, left: (text: string) => readonly Message[]): Sends {
  return (before) =>
    [...before, undefined].flatMap((answer, step) => {
      const isKept = step > before.length - kept;
      const page = isKept ? [shows(pageOf(step), `page ${step}`)] : left(pageOf(step));
      return answer === undefined ? page : [...page, said(answer)];
    });
}

const inTurn = (opening: Message, before: readonly string[]): readonly Message[] => [
  opening,
  ...before.flatMap((answer, step) => [said(answer), user(`Done with step ${step}.`)]),
];

const AGENTS: Readonly<Record<string, Sends>> = {
  'keeps the latest picture': pages(1, (text) => [user(text)]),
  'keeps the latest three': pages(3, (text) => [user(text)]),
  'has a fresh picture with its task': (before) =>
    inTurn(shows(TASK, `page ${before.length}`), before),
  'ends with a picture of the page as it is': (before) => [
    ...inTurn(user(TASK), before),
    shows('The page as it is.', `page ${before.length}`),
  ],
  'has another text for each picture that is gone': (before) => [
    user(TASK),
    ...pages(1, () => [user('[a picture was here]')])(before),
  ],
  'drops messages that are pictures alone': (before) => [
    user(TASK),
    ...before.map(said),
    { role: 'user', content: [picture(`page ${before.length}`)] },
  ],
};

/** How many conversations an agent has that answers in few words. */
async function conversationsOf(sends: Sends): Promise<number> {
  const wiretap = new Wiretap({}, { reaction: 'observe' });
  const before: string[] = [];
  for (let step = 0; step < STEPS; step++) {
    const answer = `Scroll by ${step}.`;
    await wiretap.ask([system('You click.'), ...sends(before)], answer);
    before.push(answer);
  }
  return wiretap.conversations.length;
}

describe('an agent that sees pictures', () => {
  test.each(Object.entries(AGENTS))(
    '[WIRE95] and %s has one conversation, however short its answers are',
    async (_, sends) => {
      expect(await conversationsOf(sends)).toBe(1);
    },
  );

  test('[WIRE95] of another user has another conversation, with the same question and the same answer', async () => {
    const wiretap = new Wiretap();
    const question = 'Is there a lighthouse in this picture of the coast?';
    for (const user of ['ann', 'bob']) await wiretap.ask([shows(question, user)], 'Yes.');
    const asksOn = [user(question), said('Yes.'), user('Which one?')];
    await wiretap.ask(asksOn, 'The old one.');
    expect(wiretap.conversations).toHaveLength(3);
  });

  test('[WIRE95] is not joined with one that looks at other pictures and answers otherwise', async () => {
    const wiretap = new Wiretap();
    const histories = ['ann', 'bob'].map((seed): Message[] => [shows(TASK, seed)]);
    for (let step = 0; step < 4; step++) {
      for (const [at, history] of histories.entries()) {
        const answer = `${at === 0 ? 'Left' : 'Right'} ${step}.`;
        await wiretap.ask(history, answer);
        history.splice(0, 1, user(TASK));
        history.push(said(answer), user('Go on.'));
      }
    }
    expect(wiretap.conversations).toHaveLength(2);
  });
});
