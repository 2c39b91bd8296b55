import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const EXPECTED = [
  'would have saved about 194 tokens, 3 turns',
  '1 of 1 conversations tripped',
  'spent about 278 tokens, 7 turns',
  'no usage is recorded in 1 conversation, so it is estimated from what was said (--model adds the money)',
].join('; ');

// What `npx teamfuse replay recording.json` does in a project.
const cwd = fileURLToPath(new URL('..', import.meta.url));
const command = fileURLToPath(import.meta.resolve('@teamfuse/cli')).replace('index.js', 'bin.js');
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [command, 'replay', 'recording.json'],
  { cwd, encoding: 'utf8' },
);
process.stderr.write(stderr);
console.log(stdout.trimEnd());

const last = stdout.trimEnd().split('\n').at(-1);
const isTripped = status === 1;
process.exitCode = isTripped && last === EXPECTED ? 0 : 1;
