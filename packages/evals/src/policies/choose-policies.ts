import { PEERS } from '../peers/peers.ts';
import { BASELINES } from '../scores/baselines.ts';
import { breakerPolicy, type StopPolicy } from '../scores/watcher.ts';
import { loadPolicy } from './load-policy.ts';

/** Which policies run. */
export interface PolicyChoice {
  /** Parts of names, in any case: only policies with one of them run. All run if there are none. */
  readonly only?: readonly string[] | undefined;
  /** Modules with policies of the user's own. */
  readonly policies?: readonly string[] | undefined;
}

/** The name of our breaker with its defaults. */
export const OURS = 'teamfuse';

/**
 * The policies that run: ours, the simple rules, those of peers, and the user's own.
 *
 * @throws Error if a policy of the user's cannot be used, if its name is taken, or if no name has a part that is asked for.
 */
export async function choosePolicies({
  only = [],
  policies = [],
}: PolicyChoice): Promise<readonly StopPolicy[]> {
  const all: StopPolicy[] = [breakerPolicy(OURS), ...BASELINES, ...PEERS];
  for (const path of policies) {
    const policy = await loadPolicy(path);
    const isTaken = all.some(({ name }) => name === policy.name);
    if (isTaken) throw new Error(`${path}: the name '${policy.name}' is taken by another policy`);
    all.push(policy);
  }
  const chosen = all.filter(
    ({ name }) => only.length === 0 || only.some((part) => has(name, part)),
  );
  const missing = only.find((part) => !all.some(({ name }) => has(name, part)));
  if (missing !== undefined) {
    const names = all.map(({ name }) => `'${name}'`).join(', ');
    throw new Error(`--only: expected a part of one of ${names}, received '${missing}'`);
  }
  return chosen;
}

/** The policies that run beside ours. */
export async function besidePolicies(choice: PolicyChoice): Promise<readonly StopPolicy[]> {
  return (await choosePolicies(choice)).filter(({ name }) => name !== OURS);
}

function has(name: string, part: string): boolean {
  return name.toLowerCase().includes(part.toLowerCase());
}
