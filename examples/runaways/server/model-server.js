import { createServer } from '@copilotkit/aimock';
import { loadTokenCounter } from '@teamfuse/tokens';
import { answerTo } from './answer.js';

/**
 * @typedef {object} Call
 * @property {string} model
 * @property {number} promptTokens
 * @property {number} completionTokens
 * @property {boolean} isQuestion whether it asked for the word of a judge
 */

/**
 * An OpenAI-compatible server on this machine, with the personas of `personas/` for models.
 *
 * @typedef {object} ModelServer
 * @property {string} baseURL
 * @property {readonly Call[]} calls every call to `baseURL` that was answered, in order
 * @property {() => { baseURL: string, calls: readonly Call[] }} forRun an address of its own for one run, and the calls to it
 * @property {() => Promise<void>} close
 */

/**
 * Starts the server on a free port of the loopback. It needs no key and no network.
 *
 * @returns {Promise<ModelServer>}
 */
export async function startModelServer() {
  const counter = await loadTokenCounter('gpt-4o');
  const callsOf = [];
  const response = (request) => {
    const { answer, isQuestion } = answerTo(request, counter);
    if (answer.usage) {
      const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = answer.usage;
      const call = { model: request.model, promptTokens, completionTokens, isQuestion };
      callsOf[request._context].push(call);
    }
    return answer;
  };
  const fixtures = [{ match: { endpoint: 'chat' }, response }];
  const options = { host: '127.0.0.1', port: 0, journalMaxEntries: 1 };
  const { server, url } = await createServer(fixtures, options);
  // A busy machine may let a team wait for longer than a server keeps an idle connection.
  server.keepAliveTimeout = 0;
  // Each server of this kind makes every promise of the process dearer, so all runs share one and are told apart by their path.
  server.prependListener('request', (request) => {
    request.headers['x-aimock-context'] = /^\/runs\/(\d+)\//.exec(request.url)?.[1];
  });
  const forRun = () => {
    const calls = [];
    const run = callsOf.push(calls) - 1;
    return { baseURL: `${url}/runs/${run}/v1`, calls };
  };
  const close = () => new Promise((closed) => server.close(() => closed()));
  return { ...forRun(), forRun, close };
}
