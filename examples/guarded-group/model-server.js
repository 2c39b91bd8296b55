import { LLMock } from '@copilotkit/aimock';
import { lines, next } from './lines.js';

/** Answers for all four: the model's name says for whom. Counts the calls of each. */
export async function startModelServer() {
  const calls = { researcher: 0, writer: 0, critic: 0, manager: 0 };
  const mock = new LLMock({ host: '127.0.0.1', port: 0, journalMaxEntries: 1 });
  mock.on({ endpoint: 'chat' }, ({ model, messages }) => {
    const turn = calls[model]++;
    const content =
      model === 'manager' ? choose(messages) : lines[model][turn % lines[model].length];
    return { content, usage: { prompt_tokens: 40 * messages.length, completion_tokens: 20 } };
  });
  await mock.start();
  return { baseURL: `${mock.url}/v1`, calls, close: () => mock.stop() };
}

function choose(messages) {
  const last = messages.findLast(({ name }) => name in next);
  return next[last?.name] ?? 'writer';
}
