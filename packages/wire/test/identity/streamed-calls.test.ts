import { expect, test } from 'vitest';
import { calling, type Message, result, system, user, Wiretap } from '../support/wiretap.ts';

const FILES = ['tides', 'moons', 'ropes', 'charts', 'lamps', 'keels', 'masts', 'winds'];

/** How servers number the calls of an answer. */
const INDICES: Readonly<Record<string, (at: number) => object>> = {
  'one index each': (index) => ({ index }),
  'one index together': () => ({ index: 0 }),
  'no index': () => ({}),
};

test.each(Object.entries(INDICES))(
  '[WIRE8] a cut history of streamed calls with %s belongs to its conversation',
  async (_, indexOf) => {
    const wiretap = new Wiretap();
    const task = [system('You read.'), user('Read all files.')];
    let latest: readonly Message[] = [];
    for (const file of FILES) {
      const ids = [`${file}-1`, `${file}-2`];
      const message = calling(...ids.map((id) => [id, 'read', { file: id }] as const));
      wiretap.next = () => streamed(message.tool_calls as readonly object[], indexOf);
      await (await wiretap.ask([...task, ...latest], message)).text();
      latest = [message, ...ids.map((id) => result(id, `All that ${id} says.`))];
    }
    expect(wiretap.conversations).toHaveLength(1);
  },
);

function streamed(calls: readonly object[], indexOf: (at: number) => object): Response {
  const pieces = calls.map((call, at) => ({ tool_calls: [{ ...indexOf(at), ...call }] }));
  const body = [...pieces, {}].map((delta, at) => {
    const finish_reason = at === pieces.length ? 'tool_calls' : null;
    return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  });
  return new Response(body.join(''), { headers: { 'content-type': 'text/event-stream' } });
}
