import { Agent, request } from 'node:http';
import { requests } from './conversations.js';

/** Makes calls, `atOnce` at a time, and returns the milliseconds until the first byte and the end of each. */
export async function load(url, { calls, atOnce, length, isStreamed, isEach = () => {} }) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const took = [];
  let left = calls;
  const work = async () => {
    const asked = requests(length, isStreamed);
    while (left > 0) {
      left--;
      const { body, isFirst } = asked.next().value;
      const one = await call(url, agent, body);
      if (!isFirst) took.push(one);
      await isEach();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
  return took;
}

function call(url, agent, body) {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers };
    const sent = request(`${url}/v1/chat/completions`, options, (response) => {
      let first = 0;
      response.on('data', () => {
        first ||= performance.now() - from;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ first, end: performance.now() - from });
        else reject(new Error(`status ${response.statusCode}`));
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
