import { Breaker } from '@teamfuse/core';
import { guardFetch } from '@teamfuse/wire';
import { requests } from './conversations.js';

const URL = 'https://api.example/v1/chat/completions';

/** Prints what the guard alone takes for a request, beside reading its JSON. */
export async function printCost({ calls, lengths, print }) {
  print('\nthe guard alone, a request that brings two new messages, ms at the median');
  print('messages   guard   JSON.parse   µs a message');
  for (const length of lengths) {
    let answer = '';
    const guarded = guardFetch(new Breaker({ reaction: 'observe' }), {
      fetch: async () => new Response(JSON.stringify(answerOf(answer))),
    });
    const [guard, parse] = [[], []];
    const asked = requests(length, false);
    for (let i = 0; i < calls; i++) {
      const { body, isFirst, ...rest } = asked.next().value;
      answer = rest.answer;
      const from = performance.now();
      await (await guarded(URL, { method: 'POST', body })).text();
      const between = performance.now();
      JSON.parse(body);
      const end = performance.now();
      if (isFirst) continue;
      guard.push(between - from);
      parse.push(end - between);
    }
    const [ms, parseMs] = [guard, parse].map(median);
    const cells = [ms.toFixed(3).padStart(6), parseMs.toFixed(3).padStart(10)];
    print(
      `${String(length).padStart(8)}  ${cells.join('   ')}   ${((1000 * ms) / length).toFixed(1).padStart(12)}`,
    );
  }
}

function answerOf(content) {
  const message = { role: 'assistant', content };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return { choices, usage: { prompt_tokens: 500, completion_tokens: 20 } };
}

function median(times) {
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}
