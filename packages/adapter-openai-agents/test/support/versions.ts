import * as newest from '@openai/agents-core';
import * as oldest from 'agents-core-old';

/** One version of the SDK. */
export type Sdk = Pick<typeof newest, 'Agent' | 'Runner' | 'tool'>;

/** The oldest and the newest version that the adapter supports. */
export const VERSIONS: Readonly<Record<'0.20' | '0.5', Sdk>> = {
  '0.20': newest,
  '0.5': oldest as unknown as Sdk,
};
