import { heardBy } from './conversation.js';
import { personas } from './personas/index.js';
import { speak } from './speak.js';

/**
 * What the persona called `request.model` answers to the messages of the request, and the tokens of both.
 *
 * @param {{ model: string, messages: readonly object[] }} request
 * @param {import('@teamfuse/tokens').TokenCounter} counter
 */
export function answerTo({ model, messages }, counter) {
  const script = personas.get(model);
  if (script === undefined) {
    const known = [...personas.keys()].join(', ');
    return { status: 404, error: { message: `no persona is called '${model}'; known: ${known}` } };
  }
  const content = speak(script, heardBy(messages));
  const prompt_tokens = counter.countMessages(messages.map(asCountable));
  return { content, usage: { prompt_tokens, completion_tokens: counter.count(content) } };
}

function asCountable({ content, name }) {
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return name === undefined ? { content: text } : { content: text, name };
}
