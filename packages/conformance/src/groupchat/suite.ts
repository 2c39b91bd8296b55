import type { Suite } from '../harness/suite.ts';
import { runGroupchatVectors } from './run-vectors.ts';

/** The recorded cases of AutoGen 0.2. */
export const groupchatSuite: Suite = { allowedFailedShare: 0.01, run: runGroupchatVectors };
