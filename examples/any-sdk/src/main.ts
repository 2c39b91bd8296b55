import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Breaker } from '@teamfuse/core';
import { guardFetch } from '@teamfuse/wire';
import { work } from './agent.ts';
import { startModel } from './model.ts';

const EXPECTED =
  'the loop: still at it after 40 calls, guarded: refused after 3 calls; ' +
  'its twin: finished after 13 calls, guarded: finished after 13 calls';
const AGENT = fileURLToPath(new URL('../agent.py', import.meta.url));
const TEAMFUSE = fileURLToPath(new URL('bin.js', import.meta.resolve('@teamfuse/cli')));

const { server, url } = await startModel();

/** Runs the agent with both models, as it is and guarded. */
async function ends(
  unguarded: (model: string) => Promise<string>,
  guarded: (model: string) => Promise<string>,
): Promise<string> {
  const [loop, stopped] = [await unguarded('looping'), await guarded('looping')];
  const [twin, left] = [await unguarded('healthy'), await guarded('healthy')];
  return `the loop: ${loop}, guarded: ${stopped}; its twin: ${twin}, guarded: ${left}`;
}

/** What the agent in Python prints. */
async function python(baseUrl: string, model: string): Promise<string> {
  const env = { ...process.env, OPENAI_BASE_URL: baseUrl };
  const { stdout } = spawn('python3', [AGENT, model], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await text(stdout)).trim();
}

/** The agent in Python, with another address in its environment. */
async function pythonEnds(): Promise<string> {
  const args = [TEAMFUSE, 'gateway', '--upstream', url, '--port', '0', '--no-policy'];
  const gateway = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface(gateway.stdout), 'line')) as [string];
  const guarded = line.replace('OPENAI_BASE_URL=', '');
  const last = await ends(
    (model) => python(`${url}/v1`, model),
    (model) => python(guarded, model),
  );
  gateway.kill('SIGTERM');
  await once(gateway, 'exit');
  return last;
}

let inPython = EXPECTED;
if (spawnSync('python3', ['--version']).error) {
  console.log('Python, through a gateway: skipped, there is no python3 on this machine');
} else {
  inPython = await pythonEnds();
  console.log(`Python, through a gateway: ${inPython}`);
}
const last = await ends(
  (model) => work(fetch, `${url}/v1`, model),
  (model) => work(guardFetch(new Breaker()), `${url}/v1`, model),
);
server.close();
console.log(last);
process.exitCode = last === EXPECTED && inPython === EXPECTED ? 0 : 1;
