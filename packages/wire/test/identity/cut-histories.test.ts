import { describe, expect, test } from 'vitest';
import { chatCompletions } from '../../src/formats/chat-completions.ts';
import { gemini } from '../../src/formats/gemini/index.ts';
import { type Message, said, system, user, Wiretap } from '../support/wiretap.ts';

const TASK = 'Write an article about tides for sailors.';
const TURNS = 16;

/** What frameworks send of a history that is too long. */
const CUTS: Readonly<Record<string, (all: readonly Message[]) => readonly Message[]>> = {
  'its head and its tail': (all) =>
    all.length <= 6
      ? all
      : [all[0] as Message, user(`Skipped ${all.length - 5} messages.`), ...all.slice(-4)],
  'no middle': (all) => (all.length <= 6 ? all : [...all.slice(0, 3), ...all.slice(-3)]),
  'its first message and a window': (all) =>
    all.length <= 4 ? all : [all[0] as Message, ...all.slice(1).slice(-3)],
  'a window': (all) => all.slice(-3),
  'a summary and its end': (all) =>
    all.length <= 6 ? all : [user(`So far ${all.length - 3} messages on tides.`), ...all.slice(-3)],
};

describe('a history that is cut', () => {
  test.each(Object.entries(CUTS))(
    '[WIRE8] to %s belongs to its conversation, and nothing is told twice',
    async (_, cut) => {
      const wiretap = new Wiretap({}, { reaction: 'observe' });
      const texts = await talk(wiretap, cut, draft);
      expect(wiretap.conversations).toHaveLength(1);
      expect(textsIn(wiretap)).toEqual([TASK, ...texts]);
    },
  );

  test.each(Object.entries(CUTS))(
    '[WIRE8] to %s tells nothing twice in a conversation that is named',
    async (_, cut) => {
      const wiretap = new Wiretap({ conversation: 'one' }, { reaction: 'observe' });
      const texts = await talk(wiretap, cut, draft);
      expect(textsIn(wiretap)).toEqual([TASK, ...texts]);
    },
  );

  test.each(Object.entries(CUTS))('[WIRE8] to %s does not hide a loop', async (_, cut) => {
    const wiretap = new Wiretap();
    const texts = await talk(wiretap, cut, (turn) => draft(turn % 2));
    expect(texts.length).toBeLessThan(TURNS);
  });

  test('[WIRE8] belongs to its conversation where each text is short', async () => {
    const wiretap = new Wiretap({}, { reaction: 'observe' });
    const history: Message[] = [user('When is high tide?')];
    for (let turn = 0; turn < 8; turn++) {
      await wiretap.ask(history.slice(-4), `Still looking, step ${turn}.`);
      history.push(said(`Still looking, step ${turn}.`), user(`Go on with ${turn}.`));
    }
    expect(wiretap.conversations).toHaveLength(1);
  });
});

describe('a history whose first message changes', () => {
  /** What else is asked in a session: by a helper, or by the agent after all that was said. */
  const beside: Readonly<Record<string, (talked: readonly Message[]) => readonly Message[]>> = {
    'a helper': ({ length }) => [system('Name the part.'), user(`What is part ${length}?`)],
    'the agent itself': (talked) => [
      system('You write articles.'),
      ...talked,
      user('Guess what the user says next.'),
    ],
  };

  test.each(Object.entries(beside))(
    '[WIRE8] is told once in a named conversation where %s was asked meanwhile',
    async (_, asked) => {
      const wiretap = new Wiretap({ conversation: 'one' }, { reaction: 'observe' });
      const talked: Message[] = [];
      for (let turn = 0; turn < 6; turn++) {
        const noted = user(`These are the notes of minute ${turn}.`);
        await wiretap.ask([system('You write articles.'), noted, ...talked], draft(turn));
        talked.push(said(draft(turn)));
        await wiretap.ask(asked([noted, ...talked]), `Something else than part ${turn}.`);
        talked.push(user(`Go on after part ${turn}.`));
      }
      const drafts = textsIn(wiretap).filter((text) => /^(?:Part|Go on)/.test(text));
      expect(new Set(drafts).size).toBe(drafts.length);
    },
  );

  test('[WIRE8] belongs to its conversation where a harness has answered itself since', async () => {
    const wiretap = new Wiretap({}, { reaction: 'observe' });
    const talked: Message[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const files = [user(`The file has ${turn} lines.`), said('I will change this file alone.')];
      await wiretap.ask([...talked, ...files, user(`Write part ${turn}.`)], draft(turn));
      talked.push(user(`Write part ${turn}.`), said(draft(turn)));
    }
    expect(wiretap.conversations).toHaveLength(1);
    const drafts = textsIn(wiretap).filter((text) => text.startsWith('Part'));
    expect(new Set(drafts).size).toBe(drafts.length);
  });
});

describe('an answer that a framework rewrites', () => {
  const REWRITTEN: Readonly<Record<string, (text: string) => string>> = {
    'without its thoughts': (text) => text.replace(/^<think>.*<\/think>/s, ''),
    'with an observation added': (text) => `${text}\nObservation: no hits for ${text.length}`,
    parsed: (text) => (/"say":"([^"]*)"/.exec(text)?.[1] ?? text).toUpperCase().toLowerCase(),
  };

  test.each(Object.entries(REWRITTEN))(
    '[WIRE71] %s belongs to its conversation',
    async (_, rewrite) => {
      const wiretap = new Wiretap({}, { reaction: 'observe' });
      const history: Message[] = [user(TASK)];
      for (let turn = 0; turn < 6; turn++) {
        const answer = `<think>${turn} and ${turn}</think>{"say":"the draft of part ${turn} is done"}`;
        await wiretap.ask(history, answer);
        history.push(said(rewrite(answer)), user(`Go on with part ${turn + 1}.`));
      }
      expect(wiretap.conversations).toHaveLength(1);
      expect(new Set(textsIn(wiretap)).size).toBe(textsIn(wiretap).length);
    },
  );

  test('[WIRE71] is another one where the answer has nothing to do with it', async () => {
    const wiretap = new Wiretap();
    await wiretap.ask([user(TASK)], 'Ebb and flow come from the moon.');
    await wiretap.ask([user(TASK), said('Please name a harbour first.'), user('Emden.')], 'Well.');
    expect(wiretap.conversations).toHaveLength(2);
  });
});

describe('an answer of several', () => {
  const ANSWERS: Readonly<Record<string, (choices: readonly Choice[]) => Response>> = {
    'that came whole': (choices) => Response.json({ choices, usage: {} }),
    'that was streamed': (choices) => {
      const events = choices.map(({ message, ...choice }) => ({
        choices: [{ ...choice, delta: message }],
      }));
      const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
  };

  test.each(Object.entries(ANSWERS))(
    '[WIRE78] %s and is not the first one leads on in its conversation',
    async (_, answered) => {
      const wiretap = new Wiretap();
      const history: Message[] = [user(TASK)];
      for (let turn = 0; turn < 5; turn++) {
        const choices = ['Ebb', 'Flow'].map((text, index) => ({
          index,
          message: said(`${text}${turn}`),
          finish_reason: 'stop',
        }));
        wiretap.next = () => answered(choices);
        await (await wiretap.ask(history, '')).text();
        history.push(choices[1]?.message as Message, user(`Go on with part ${turn + 1}.`));
      }
      expect(wiretap.conversations).toHaveLength(1);
    },
  );
});

test('[WIRE78] of the choices of an answer no more than 128 are kept', async () => {
  const choices = Array.from({ length: 1_000 }, (_, index) => ({ index, message: said('Ebb.') }));
  expect(chatCompletions.readAnswer({ choices }).others).toHaveLength(127);
  const candidates = choices.map(() => ({ content: { parts: [{ text: 'Ebb.' }] } }));
  expect(gemini.readAnswer({ candidates }).others).toHaveLength(127);
});

interface Choice {
  readonly index: number;
  readonly message: Message;
  readonly finish_reason: string;
}

describe('users with the same first words', () => {
  test('[WIRE72] are not one conversation while the first answer is awaited, or after it', async () => {
    const wiretap = new Wiretap();
    const prompt = (id: number): Message =>
      system(
        `You serve customer ${id} of the harbour shop, and know all orders of customer ${id}.`,
      );
    const first = user('Show me my open orders.');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    wiretap.next = async () => {
      await held;
      return Response.json({ choices: [{ message: said('Two lamps.'), finish_reason: 'stop' }] });
    };
    const waiting = wiretap.ask([prompt(1), first], '');
    while (wiretap.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await wiretap.ask([system('You sell tickets for the ferry.'), first], 'Five ropes.');
    release();
    await waiting;
    await wiretap.ask([prompt(2), first], 'One anchor.');
    expect(wiretap.conversations).toHaveLength(3);
  });

  test('[WIRE72] are one conversation where a selector asks before the agent that it selects', async () => {
    const wiretap = new Wiretap();
    await wiretap.ask([system('Name the next speaker.'), user(TASK)], 'writer');
    await wiretap.ask(
      [system('You write about the sea.'), user(TASK)],
      'The sea rises twice a day.',
    );
    expect(wiretap.conversations).toHaveLength(1);
  });
});

/** Two agents in turn, each of which is sent what `cut` leaves of the history. Returns what they said before a stop. */
async function talk(
  wiretap: Wiretap,
  cut: (all: readonly Message[]) => readonly Message[],
  text: (turn: number) => string,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const mine = (at: number): boolean => at % 2 === turn % 2;
    const all = [user(TASK), ...texts.map((one, at) => (mine(at) ? said(one) : user(one)))];
    const prompt = system(turn % 2 === 0 ? 'You write articles.' : 'As a critic, judge drafts.');
    const response = await wiretap.ask([prompt, ...cut(all)], text(turn));
    if (response.status !== 200) return texts;
    texts.push(text(turn));
  }
  // The last one stands in no history.
  return texts.slice(0, -1);
}

const NOUNS = ['moon', 'harbour', 'pilot', 'chart', 'anchor', 'current', 'lighthouse', 'keel'];

function draft(turn: number): string {
  const noun = (at: number): string => NOUNS[(turn * 3 + at) % NOUNS.length] as string;
  return `Part ${turn} tells of the ${noun(0)} and the ${noun(turn)}, as seen by the ${noun(5)}.`;
}

function textsIn({ told }: Wiretap): readonly string[] {
  return told.flatMap(({ signal }) =>
    signal.kind === 'message' || signal.kind === 'human-input' ? [signal.text ?? ''] : [],
  );
}
