import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../registry.js';
import { add, FRAMEWORK_ADAPTERS, newProject } from './project.js';
import { report } from './report.js';

const GUIDE = fileURLToPath(new URL('../../docs/guides/typescript.md', import.meta.url));
/** A configuration of Jest in the guide, with the name of its file. */
const BLOCK = /^```js\n\/\/ (jest\.config\.c?js)\b[^\n]*\n([\s\S]*?)^```$/gm;
const RUNNERS = {
  '@types/jest': '30.0.0',
  jest: '30.5.2',
  'ts-jest': '29.4.15',
  typescript: '5.9.3',
  vitest: '4.1.12',
};
const ES_MODULES = { NODE_OPTIONS: '--experimental-vm-modules' };

/** Runs a test with Jest, configured as the guide says, and with Vitest. */
export function runners(work) {
  const project = join(work, 'runners');
  newProject(project, RUNNERS);
  const added = add(work, project, 'npm', ['core', 'wire', ...FRAMEWORK_ADAPTERS]);
  if (!report('with Jest and Vitest: install', added)) return;
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, types: ['jest'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const configs = [...readFileSync(GUIDE, 'utf8').matchAll(BLOCK)];
  if (configs.length !== 2) throw new Error(`${GUIDE} should have two configurations of Jest`);
  for (const [, file, text] of configs) {
    const type = file.endsWith('.cjs') ? 'commonjs' : 'module';
    writeFileSync(join(project, 'package.json'), JSON.stringify({ ...manifest, type }));
    writeFileSync(join(project, file), text);
    const env = { ...process.env, ...(type === 'module' && ES_MODULES) };
    const jest = join(project, 'node_modules/jest/bin/jest.js');
    report(`npm: Jest, ${file}`, run(process.execPath, [jest, '--no-cache'], project, env));
    rmSync(join(project, file));
  }
  const vitest = join(project, 'node_modules/vitest/vitest.mjs');
  report('npm: Vitest', run(process.execPath, [vitest, 'run', '--globals'], project));
}
