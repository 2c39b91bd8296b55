import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { add, NAMES } from './project.js';
import { report } from './report.js';

/** Prints what each package brings into a project of its own. */
export function sizes(work) {
  console.log('| package | packages installed | kB on disk |\n|---|---|---|');
  for (const name of NAMES) {
    const project = join(work, name);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"name":"consumer","private":true}');
    const added = add(work, project, 'npm', [name]);
    if (added.status !== 0) {
      report(name, added);
      continue;
    }
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
    const count = Object.keys(lock.packages).length - 1;
    console.log(
      `| \`@teamfuse/${name}\` | ${count} | ${Math.round(bytesIn(join(project, 'node_modules')) / 1000)} |`,
    );
  }
}

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}
