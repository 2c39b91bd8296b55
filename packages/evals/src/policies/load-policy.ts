import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StopPolicy } from '../scores/watcher.ts';
import { checkPolicy } from './check-policy.ts';

/**
 * Loads a policy from a module: its default export, or its exports `name` and `watch`.
 *
 * @throws Error that names the file, and the field and the value where one is not as it should be.
 */
export async function loadPolicy(path: string): Promise<StopPolicy> {
  const exported = await load(path);
  return checkPolicy('default' in exported ? exported.default : exported, path);
}

async function load(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${path}: cannot load the policy: ${reason}`, { cause });
  }
}
