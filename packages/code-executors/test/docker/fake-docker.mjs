#!/usr/bin/env node
// A Docker client without a daemon: it records its arguments and runs the command on this machine, in the directory
// that is to be mounted. What it lacks is the isolation; what it proves is what the executor asks for.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const here = dirname(process.argv[1]);
const args = process.argv.slice(2);
appendFileSync(join(here, 'calls.jsonl'), `${JSON.stringify(args)}\n`);

const [command] = args;
if (command === 'version') {
  if (!existsSync(join(here, 'no-daemon'))) process.exit(0);
  console.error('Cannot connect to the Docker daemon at unix:///var/run/docker.sock.');
  process.exit(1);
} else if (command === 'image') process.exit(existsSync(join(here, 'no-image')) ? 1 : 0);
else if (command === 'pull') {
  if (!existsSync(join(here, 'no-registry'))) process.exit(0);
  console.error('manifest unknown');
  process.exit(1);
} else if (command === 'rm') {
  const file = join(here, args.at(-1));
  if (!existsSync(file)) process.exit(1);
  process.kill(-Number(readFileSync(file, 'utf8')), 'SIGKILL');
  rmSync(file);
} else if (command === 'run') {
  const after = (option) => args[args.indexOf(option) + 1];
  const source = /"source=(.*)"/.exec(after('--mount'))[1].replaceAll('""', '"');
  const program = args.slice(args.indexOf('HOME=/tmp') + 2);
  const [file, ...rest] = program.map((arg) => arg.replace(/^\/workspace/, source));
  // Like a container, it does not end with the client.
  const container = spawn(file, rest, {
    cwd: source,
    detached: true,
    stdio: 'inherit',
    env: { PATH: process.env.PATH },
  });
  writeFileSync(join(here, after('--name')), String(container.pid));
  container.on('exit', (code) => {
    rmSync(join(here, after('--name')), { force: true });
    process.exit(code ?? 137);
  });
}
