import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, defaultServerConditions } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EVERY_MS = 60_000;

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '1e6' },
    seed: { type: 'string', default: '1' },
    teams: { type: 'boolean', default: false },
    fleets: { type: 'boolean', default: false },
  },
});
const [steps, seed] = [Number(values.steps), Number(values.seed)];
if (!(steps > 0) || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run simulate -- [--steps 1e8] [--seed 7] [--teams | --fleets]');
  process.exit(2);
}

const conditions = ['@teamfuse/source', ...defaultServerConditions];
// Within the workspace, so that what stays outside of the bundle is found.
const outDir = await mkdtemp(join(ROOT, 'node_modules', '.simulation-'));
try {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: {
      ssr: 'test/simulated-teams/main.ts',
      outDir,
      rollupOptions: { output: { entryFileNames: 'main.js' } },
    },
  });
  const { play, playFleets, playTeams, simulate, tell } = await import(
    pathToFileURL(join(outDir, 'main.js')).href
  );
  await run({
    simulate,
    tell,
    playing: values.fleets ? playFleets : values.teams ? playTeams : play,
  });
} finally {
  await rm(outDir, { recursive: true });
}

/** Simulates, tells about it now and then, and ends with 1 if something is wrong. */
async function run({ simulate, tell, playing }) {
  const started = performance.now();
  let told = started;
  const counting = async (...scene) => {
    const played = await playing(...scene);
    if (performance.now() - told > EVERY_MS) {
      told = performance.now();
      console.error(`scene ${scene[0]} after ${seconds(started)} s`);
    }
    return played;
  };
  const { scenes, steps: done, failure } = await simulate(seed, steps, counting);
  const from = `seeds ${seed} to ${seed + scenes - 1}`;
  console.log(
    `${done.toLocaleString('en')} steps, ${scenes} scenes (${from}), ${seconds(started)} s`,
  );
  if (failure === undefined) return;
  console.log(tell(failure));
  const which = values.fleets ? ' --fleets' : values.teams ? ' --teams' : '';
  console.log(`again: npm run simulate -- --seed ${failure.seed} --steps 1${which}`);
  process.exitCode = 1;
}

function seconds(started) {
  return Math.round((performance.now() - started) / 1000);
}
