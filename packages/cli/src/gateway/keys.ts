import { createHash } from 'node:crypto';
import type { Policy } from '@teamfuse/config';
import { InvalidOptionError } from '@teamfuse/core';
import type { KnownKey } from '@teamfuse/wire/gateway';

const VARIABLE = /^[A-Z_]/;

/** What the policy says about keys. */
export function knownKeys(policy: Policy | undefined, env: NodeJS.ProcessEnv): readonly KnownKey[] {
  return Object.entries(policy?.gateway?.keys ?? {}).map(([name, team]) => {
    const sha256 = VARIABLE.test(name) ? sha256Of(keyIn(name, env)) : name;
    return { sha256, name, team };
  });
}

/** The key in an environment variable. @throws {@link InvalidOptionError} if there is none. */
export function keyIn(variable: string, env: NodeJS.ProcessEnv): string {
  const key = env[variable];
  if (key) return key;
  const sentence = `the environment variable ${variable} is not set; it should hold a key`;
  throw new InvalidOptionError(variable, 'an environment variable with a key', key, sentence);
}

function sha256Of(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
