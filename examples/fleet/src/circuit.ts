import { setTimeout as pause } from 'node:timers/promises';
import { type Asked, ask, type Member } from './fleet.ts';
import { type Model, SEARCH } from './model.ts';

const CONVERSATION = 'chat 7';
/** How often each gateway is asked at once when a probe is due. */
const AT_ONCE = 10;
const QUESTION = [{ role: 'user', content: 'Leave the orders. What else do you know?' }];

/** What came of a conversation that one gateway has stopped. */
export interface Circuit {
  /** Why the first gateway stopped it. */
  readonly reason: string | undefined;
  /** How many gateways refuse it then. */
  readonly stoppedIn: number;
  /** How many calls all gateways got at once after the cool-down, and how many of them went to the model. */
  readonly asked: number;
  readonly probes: number;
  /** How many gateways let it go on after the probe. */
  readonly openIn: number;
}

/** Lets a conversation run in circles at the first gateway, and asks all of them to go on with it. */
export async function shareCircuit(fleet: readonly Member[], model: Model): Promise<Circuit> {
  const { reason } = await loop(fleet[0] as Member);
  const stopped = fleet.map((member) => until(member, 402));
  const stoppedIn = (await Promise.all(stopped)).length;
  let probes = 0;
  while (probes === 0) {
    await pause(100);
    probes = await askAtOnce(fleet, model);
  }
  const open = fleet.map((member) => until(member, 200));
  const openIn = (await Promise.all(open)).length;
  return { reason, stoppedIn, asked: AT_ONCE * fleet.length, probes, openIn };
}

/** Calls the same tool again and again, until a call is refused. */
async function loop({ url }: Member): Promise<Asked> {
  const messages: object[] = [{ role: 'user', content: SEARCH }];
  for (;;) {
    const asked = await ask(url, messages, CONVERSATION);
    if (asked.message === undefined) return asked;
    messages.push(asked.message, { role: 'tool', tool_call_id: 'call_1', content: 'none' });
  }
}

/** Asks a gateway until it answers so: news of a circuit takes a moment. */
async function until({ url }: Member, wanted: number): Promise<void> {
  while ((await ask(url, QUESTION, CONVERSATION)).status !== wanted) await pause(10);
}

/** Sends many calls to all gateways at once. Returns how many came to the model, which answers after all others were refused. */
async function askAtOnce(fleet: readonly Member[], model: Model): Promise<number> {
  const { before } = model;
  let [held, refused] = [0, 0];
  let answer = (): void => {};
  const all = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const check = (): void => {
    if (held + refused === AT_ONCE * fleet.length) answer();
  };
  model.before = async () => {
    held++;
    check();
    await all;
  };
  const calls = fleet.flatMap(({ url }) =>
    Array.from({ length: AT_ONCE }, async () => {
      const { status } = await ask(url, QUESTION, CONVERSATION);
      if (status === 402) refused++;
      check();
    }),
  );
  await Promise.all(calls);
  model.before = before;
  return held;
}
