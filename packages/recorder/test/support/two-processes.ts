import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';
import { Breaker } from '@teamfuse/core';
import '../../src/preload.ts';

// A program with two breakers, which starts itself once more with another one, and that a thread with a third.
const say = (text: string): void => {
  new Breaker().observe({ kind: 'message', at: 0, agent: 'a', text });
};

if (!isMainThread) {
  say('thread');
} else if (process.argv[2] === 'again') {
  say('further process');
  new Worker(new URL(import.meta.url));
} else {
  say('first breaker');
  say('second breaker');
  const self = fileURLToPath(import.meta.url);
  const { status } = spawnSync(process.execPath, [self, 'again'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
