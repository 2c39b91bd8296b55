import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A server in a process of its own. */
export async function start(name, ...args) {
  const child = fork(new URL(`${name}.js`, import.meta.url), args, { execArgv: ['--expose-gc'] });
  const [{ port }] = await once(child, 'message');
  const ask = async (what) => {
    child.send(what);
    const [told] = await once(child, 'message');
    return told;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    /** What it holds after a collection of garbage. */
    memory: () => ask('memory'),
    /** The CPU time that it has taken, in ms. */
    async cpuMs() {
      const { user, system } = await ask('cpu');
      return (user + system) / 1000;
    },
    stop: () => child.disconnect(),
  };
}
