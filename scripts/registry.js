import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of a package from the registry, installed in `work`, apart from every project. */
export function tool(work, name, version, file) {
  const folder = join(work, `tool-${name}-${version}`);
  install(folder, [`${name}@${version}`]);
  return join(folder, 'node_modules', name, file);
}

/** Installs packages into a new project. */
export function install(folder, packages, env = process.env) {
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    '{"name":"installed","private":true,"type":"module"}',
  );
  const { status, output } = run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages],
    folder,
    env,
  );
  if (status !== 0) throw new Error(`cannot install ${packages.join(', ')}: ${output}`);
}

export function run(command, args, cwd, env = process.env, timeout = 180_000) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout,
  });
  return {
    status,
    stdout: stdout ?? '',
    output: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`,
  };
}
