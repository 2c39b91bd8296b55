// Installs and builds what one example needs, and no more, then runs it:
//
//   node scripts/demo.js runaways [options of the example]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [name, ...options] = process.argv.slice(2);
const example = `examples/${name}`;
const main = [`${example}/dist/main.js`, `${example}/main.js`];

process.chdir(ROOT);
// With all packages installed, an installation of a part would remove the others.
const install = existsSync('node_modules/vitest')
  ? 'npm run --silent setup'
  : `npm run --silent setup -- --prod --filter-prod @teamfuse/example-${name}...`;
if (!isInstalled()) await step('installing what the demo needs', install);
await step('building it', `node scripts/build.js example-${name}`);
const demo = spawn(process.execPath, [main.find((file) => existsSync(file)), ...options], {
  stdio: 'inherit',
});
const [code] = await once(demo, 'exit');
process.exitCode = code ?? 1;

/** What pnpm writes at the end is newer than the lockfile that it read. */
function isInstalled() {
  const at = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return (
    existsSync(`${example}/node_modules`) && at('node_modules/.modules.yaml') > at('pnpm-lock.yaml')
  );
}

/** Says what is done, and how long it takes. What the command prints is shown only if it fails. */
async function step(what, command) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const { isTTY } = process.stderr;
  process.stderr.write(`${what} …${isTTY ? '' : '\n'}`);
  const clock = isTTY && setInterval(() => process.stderr.write(`\r${what} … ${seconds()}`), 1000);
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  clearInterval(clock);
  process.stderr.write(`${isTTY ? '\r' : ''}${what} … ${seconds()}\n`);
  if (status === 0) return;
  process.stderr.write(output + errors);
  process.exit(1);
}
