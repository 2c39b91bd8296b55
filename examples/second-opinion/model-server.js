import { LLMock } from '@copilotkit/aimock';
import { lines } from './lines.js';

const SLOW_MS = 2000;

/**
 * An OpenAI-compatible server on this machine. `anna-loop` and the like say their lines; `judge` reads what it is given and
 * answers in JSON; `slow-judge` does the same when nobody waits any more.
 */
export async function startModelServer() {
  const mock = new LLMock({ host: '127.0.0.1', port: 0, journalMaxEntries: 1 });
  mock.on({ endpoint: 'chat' }, async ({ model, messages }) => {
    const usage = { prompt_tokens: 40 * messages.length, completion_tokens: 20 };
    if (model === 'slow-judge') await later(SLOW_MS);
    const content = model.endsWith('judge') ? judge(messages) : speak(model, messages);
    return { content, usage };
  });
  await mock.start();
  return { baseURL: `${mock.url}/v1`, close: () => mock.stop() };
}

function speak(model, messages) {
  const [name, variant] = model.split('-');
  const own = lines[variant][name];
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  return own[turn % own.length];
}

/** Stands in for a model: a loop is where every speaker comes back to one word in all of their lines. */
function judge(messages) {
  const said = new Map();
  for (const line of messages.at(-1).content.split('\n')) {
    const [name, text] = line.split(': ');
    said.set(name, [...(said.get(name) ?? []), new Set(text.match(/\w{4,}/g))]);
  }
  const isLoop = [...said.values()].every(([first, ...others]) =>
    [...first].some((word) => others.length > 0 && others.every((line) => line.has(word))),
  );
  return JSON.stringify({ isLoop });
}

function later(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
