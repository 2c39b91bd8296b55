import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attacks, limits } from './attacks.js';

const SECRET = 'sk-attacked-0123456789';

/** Tries all attacks, or every so many-th, on executors of class `Executor` with this isolation, and tells which were held. */
export async function tryAttacks(Executor, isolation, every = 1) {
  const before = process.env.ATTACKED_KEY;
  process.env.ATTACKED_KEY = SECRET;
  const victim = spawn('sleep', ['120'], { env: { ...process.env }, stdio: 'ignore' });
  const held = new Map();
  try {
    for (const [at, attack] of attacks.entries()) {
      if (at % every > 0) continue;
      const options = { Executor, isolation, victim, at };
      held.set(attack.name, await isHeld(attack, options));
    }
  } finally {
    victim.kill('SIGKILL');
    if (before === undefined) delete process.env.ATTACKED_KEY;
    else process.env.ATTACKED_KEY = before;
  }
  return held;
}

async function isHeld(attack, { Executor, isolation, victim, at }) {
  const root = await mkdtemp(join(tmpdir(), 'teamfuse-attack-'));
  const workDir = join(root, 'work');
  const outside = join(root, 'outside');
  await Promise.all([mkdir(workDir), mkdir(outside)]);
  await writeFile(join(outside, 'kept'), 'kept');
  // A length of its own for each trial tells its processes from all others.
  const sleep = `sleep 8.${process.pid}${isolation.length}${at}`;
  const run = async (blocks, options = {}) => {
    const executor = new Executor({ workDir, isolation, ...limits, ...options });
    try {
      return await executor.executeCodeBlocks(
        blocks.map(([language, code]) => ({ language, code })),
      );
    } finally {
      await executor.close();
    }
  };
  const alive = () => isAlive(sleep);
  try {
    return await attack.tries({
      ...{ run, workDir, outside, sleep, alive, victim },
      secret: SECRET,
      environBytes: environBytes(),
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function isAlive(text) {
  const table = execFileSync('ps', ['-axo', 'stat=,args='], { encoding: 'utf8' });
  return table.split('\n').some((line) => line.includes(text) && !line.startsWith('Z'));
}

/** How long the environment is that this process was started with. */
function environBytes() {
  return existsSync('/proc/self/environ') ? readFileSync('/proc/self/environ').length : -1;
}
