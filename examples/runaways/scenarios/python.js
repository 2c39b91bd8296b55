import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { createGateway } from '@teamfuse/wire/gateway';

const SCRIPT = fileURLToPath(new URL('coder.py', import.meta.url));

/** The coder and its terminal again, in Python. All that a breaker changes is OPENAI_BASE_URL, which names a gateway then. */
export const python = {
  name: 'python',
  title: 'the same in Python',
  // As of the one before it.
  kinds: ['execution-storm'],
  /** Why it cannot run on this machine, if so. */
  missing: () => (spawnSync('python3', ['--version']).error ? 'no python3 here' : undefined),
  async run({ baseURL, isTwin, breaker }) {
    const model = isTwin ? 'coder-healthy' : 'coder-failing';
    if (!breaker) return turnsOf(model, baseURL);
    const { fetch } = createGateway({ upstream: baseURL.replace(/\/v1$/, ''), breaker });
    const gateway = serve({ fetch, port: 0, hostname: '127.0.0.1' });
    await once(gateway, 'listening');
    try {
      return await turnsOf(model, `http://127.0.0.1:${gateway.address().port}/v1`);
    } finally {
      gateway.close();
    }
  },
};

async function turnsOf(model, baseURL) {
  const env = { ...process.env, OPENAI_BASE_URL: baseURL, NODE: process.execPath };
  const child = spawn('python3', [SCRIPT, model], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return Number(await text(child.stdout));
}
