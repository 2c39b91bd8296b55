import { LLMock } from '@copilotkit/aimock';
import { lines } from './lines.js';

/**
 * An OpenAI-compatible server on this machine. `anna-loop` and the like say their lines; `judge` reads the record that it
 * is shown and answers in JSON; `chatty-judge` says something, but no answer.
 */
export async function startModelServer() {
  const mock = new LLMock({ host: '127.0.0.1', port: 0, journalMaxEntries: 1 });
  mock.on({ endpoint: 'chat' }, async ({ model, messages }) => {
    const content = answerOf(model, messages);
    const usage = { prompt_tokens: tokensOf(messages), completion_tokens: tokensOf([{ content }]) };
    return { content, usage };
  });
  await mock.start();
  return { baseURL: `${mock.url}/v1`, close: () => mock.stop() };
}

function answerOf(model, messages) {
  if (model === 'judge') return judge(messages);
  if (model === 'chatty-judge') return 'Hard to say. They seem to get on well.';
  return speak(model, messages);
}

function speak(model, messages) {
  const [name, variant] = model.split('-');
  const own = lines[variant][name];
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  return own[turn % own.length];
}

/** Stands in for a model: a loop is where somebody comes back to one word in all of their latest lines. */
function judge(messages) {
  const record = messages.at(-1).content;
  const said = new Map();
  for (const [, name, text] of record.matchAll(/^#\d+ (\w+) said\n\| (.*)$/gm)) {
    said.set(name, [...(said.get(name) ?? []), new Set(text.match(/\b[a-z]{5,}\b/g))]);
  }
  for (const [name, texts] of said) {
    const [first, ...others] = texts.slice(-4);
    const word = [...first].find((one) => others.every((line) => line.has(one)));
    if (word !== undefined && others.length > 2) {
      return JSON.stringify({
        reason: `${name} comes back to '${word}' and does not begin`,
        probability: 0.9,
      });
    }
  }
  return JSON.stringify({ reason: 'Each line settles something.', probability: 0.1 });
}

function tokensOf(messages) {
  return messages.reduce((sum, { content }) => sum + Math.ceil(String(content).length / 4), 0);
}
