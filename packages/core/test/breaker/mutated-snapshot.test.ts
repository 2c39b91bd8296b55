import { it } from 'vitest';
import { restoreMutated } from './mutated-snapshots.ts';

it('[SNP6] a snapshot that was changed anywhere is refused by an InvalidSnapshotError or restored to a breaker that works, 100 times', () =>
  restoreMutated(100));
