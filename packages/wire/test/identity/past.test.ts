import { expect, test } from 'vitest';
import { calling, type Message, result, system, user, Wiretap } from '../support/wiretap.ts';

const MINUTE = 60_000;
const BEFORE = 8;
const SINCE = 12;

/** How an agent asks for the state of a job, and is told that it runs. */
const POLLS: Readonly<Record<string, (at: number) => readonly [Message, Message]>> = {
  'by a tool': (at) => [calling([`call ${at}`, 'state', { job: 7 }]), result(`call ${at}`, 'runs')],
  'by code': () => [
    { role: 'assistant', content: '```sh\nstate --job 7\n```' },
    user('exitcode: 0 (execution succeeded)\nCode output: runs'),
  ],
};

test.each(Object.entries(POLLS))(
  '[WIRE101] a job that is asked for %s each minute goes on before a new guard',
  async (_, poll) => {
    expect(await follow(poll, MINUTE)).toBe(SINCE);
  },
);

test.each(Object.entries(POLLS))(
  '[WIRE101] so it does, asked for %s, where the session has asked for a title before',
  async (_, poll) => {
    expect(await follow(poll, MINUTE, [system('Name it.'), user('Job 7.')])).toBe(SINCE);
  },
);

test.each(Object.entries(POLLS))(
  '[WIRE101] a loop %s is stopped by a new guard once it has seen it itself',
  async (_, poll) => {
    expect(await follow(poll, 1_000)).toBeLessThanOrEqual(3);
  },
);

/** Goes on with polls before a guard that has not seen the earlier ones. Returns how many more were made. */
async function follow(
  poll: (at: number) => readonly [Message, Message],
  paceMs: number,
  first?: readonly Message[],
): Promise<number> {
  let now = 0;
  const wiretap = new Wiretap(first ? { conversation: 'job' } : {}, { now: () => now });
  if (first !== undefined) await wiretap.ask(first, 'Waiting for job 7');
  const history = [user('Tell me when job 7 is done.')];
  for (let at = 0; at < BEFORE; at++) history.push(...poll(at));
  for (let at = BEFORE; at < BEFORE + SINCE; at++) {
    const [message, outcome] = poll(at);
    const response = await wiretap.ask(history, message);
    if (response.status !== 200) return at - BEFORE;
    history.push(message, outcome);
    now += paceMs;
  }
  return SINCE;
}
