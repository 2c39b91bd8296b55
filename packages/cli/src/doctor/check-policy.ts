import { relative } from 'node:path';
import { findPolicy, loadPolicy, PolicyError } from '@teamfuse/config';
import type { Check } from './check.ts';

/** Checks the nearest `teamfuse.toml`. */
export function checkPolicy(cwd: string): Check {
  const name = 'teamfuse.toml';
  const file = findPolicy(cwd);
  if (file === undefined) {
    return { name, status: 'ok', found: 'none: breakers use the options in your code' };
  }
  const shown = relative(cwd, file);
  try {
    const teams = Object.keys(loadPolicy({ path: file }).teams);
    const sections = teams.length > 0 ? `, teams ${teams.join(', ')}` : '';
    return { name, status: 'ok', found: `${shown}${sections}` };
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    const { line, column, key, expected, received } = error;
    const place = line === undefined ? shown : `${shown}:${line}:${column}`;
    const what = key === '' ? received : `${key} is ${received}`;
    return { name, status: 'fail', found: `${place}: ${what}`, advice: `expected ${expected}` };
  }
}
