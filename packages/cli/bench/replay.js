// Replays a directory of recordings, beside reading it and JSON.parse alone. Run after a build: npm run bench:replay -- <directory>

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { argv, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

/** How many times the replay may take what reading takes. */
const TARGET = 2;
const ROUNDS = 3;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

const folder = argv[2] ?? here('../../../../shared/corpus');
if (!existsSync(folder)) {
  console.log(`skipped: there is no ${folder}; name a directory of recordings`);
} else {
  const reading = best(() => measure([here('read-only.js'), folder]));
  const one = best(() => measure([here('measured.js'), folder, '--threads', '1']));
  const all = best(() => measure([here('measured.js'), folder]));
  console.log('what                    seconds  of CPU  conversations/s     MB/s  peak memory');
  row('reading and JSON.parse', reading, reading);
  row('replay, one thread', one, reading);
  row('replay', all, reading);
  const ratio = all.seconds / reading.seconds;
  console.log(
    `replay takes ${ratio.toFixed(2)} times what reading takes; target ${TARGET}: ${ratio <= TARGET ? 'met' : 'missed'}`,
  );
}

/** Runs in a process of its own and reads the figures that it prints last. */
function measure(args) {
  const { stderr, status } = spawnSync(execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  const line = stderr.trim().split('\n').at(-1);
  if (status === null || !line?.startsWith('{')) throw new Error(stderr);
  return JSON.parse(line);
}

function best(run) {
  const runs = Array.from({ length: ROUNDS }, run);
  return runs.toSorted((a, b) => a.seconds - b.seconds)[0];
}

function row(name, { seconds, cpuSeconds, peakMb }, { conversations, bytes }) {
  const cells = [
    seconds.toFixed(2).padStart(7),
    cpuSeconds.toFixed(2).padStart(6),
    Math.round(conversations / seconds)
      .toLocaleString('en')
      .padStart(15),
    (bytes / 1e6 / seconds).toFixed(1).padStart(7),
    `${peakMb} MB`.padStart(11),
  ];
  console.log(`${name.padEnd(23)} ${cells.join('  ')}`);
}
