// Runs the steps of the Dockerfile as commands in a temporary directory, for machines without Docker: `npm run docker:steps`.
// Folders of the image are folders in there. Its last stage is started, and has to become healthy.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** As in .dockerignore. */
const IGNORED = new Set(['.git', 'node_modules', 'dist', '.turbo', 'tarballs']);
const MINUTE_MS = 60_000;

const temporary = mkdtempSync(join(tmpdir(), 'teamfuse-docker-'));
const stages = [];

/** What each step does to the stage that is being built. */
const STEPS = {
  FROM(words) {
    const name = words[1] === 'AS' ? words[2] : `stage${stages.length}`;
    stages.push({ name, at: '/', env: {}, user: 'root' });
    mkdirSync(join(temporary, name));
  },
  WORKDIR([folder]) {
    last().at = folder;
    mkdirSync(inStage(folder), { recursive: true });
  },
  ENV(words) {
    Object.assign(last().env, Object.fromEntries(words.map((word) => word.split('='))));
  },
  COPY(words) {
    const [from, to] = words.filter((word) => !word.startsWith('--'));
    const stage = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
    const source = stage ? join(temporary, stage, from) : join(ROOT, from);
    const filter = (file) => stage !== undefined || !IGNORED.has(basename(relative(ROOT, file)));
    cpSync(source, join(inStage(last().at), to), { recursive: true, filter });
  },
  RUN(_, command) {
    execFileSync('sh', ['-c', mapped(command)], options(['ignore', 'ignore', 'inherit']));
  },
  USER([user]) {
    last().user = user;
  },
  EXPOSE([port]) {
    last().port = port;
  },
  HEALTHCHECK(_, rest) {
    last().health = JSON.parse(rest.slice('CMD '.length));
  },
  ENTRYPOINT(_, rest) {
    last().entrypoint = JSON.parse(rest);
  },
  CMD(_, rest) {
    last().cmd = JSON.parse(rest);
  },
};

function last() {
  return stages.at(-1);
}

function inStage(folder) {
  return join(temporary, last().name, folder);
}

/** Absolute folders of the image, where they are here. */
function mapped(text) {
  return text.replace(/(^|\s)(\/(?:src|app)\b)/g, (_, before, path) => before + inStage(path));
}

function options(stdio) {
  return { cwd: inStage(last().at), env: { ...process.env, ...last().env }, stdio };
}

async function start() {
  const { entrypoint, cmd, user } = last();
  if (user === 'root') throw new Error('the image runs as root');
  const words = [...entrypoint, ...cmd].map(mapped);
  const withToken = options(['ignore', 'pipe', 'inherit']);
  withToken.env.TEAMFUSE_TOKEN = 'token-of-the-steps';
  const gateway = spawn(words[0], words.slice(1), withToken);
  try {
    await once(createInterface(gateway.stdout), 'line');
    const [program, ...args] = last().health;
    execFileSync(program, args, { ...options('inherit'), timeout: MINUTE_MS });
  } finally {
    gateway.kill('SIGTERM');
    await once(gateway, 'exit');
  }
}

try {
  const lines = readFileSync(new URL('Dockerfile', import.meta.url), 'utf8').split('\n');
  for (const line of lines.filter((one) => /^[A-Z]/.test(one))) {
    const [step, ...words] = line.split(' ');
    if (!(step in STEPS)) throw new Error(`unknown step ${step}`);
    console.log(line);
    STEPS[step](words, line.slice(step.length + 1));
  }
  await start();
  console.log(
    'every step ran, and the gateway that came of them is healthy; its user in the image is not root',
  );
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
