import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Breaker } from '@teamfuse/core';
import '../../src/preload.ts';

// A program with two breakers, which starts itself once more with another one.
const say = (text: string): void => {
  new Breaker().observe({ kind: 'message', at: 0, agent: 'a', text });
};

if (process.argv[2] === 'again') {
  say('further process');
} else {
  say('first breaker');
  say('second breaker');
  const self = fileURLToPath(import.meta.url);
  const { status } = spawnSync(process.execPath, [self, 'again'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
