import { it } from 'vitest';
import { restoreMutated } from './mutated-snapshots.ts';

/** `MUTATED_SNAPSHOTS=100000 npx vitest run --project slow mutated-snapshot` asks more. */
const RUNS = Number(process.env.MUTATED_SNAPSHOTS ?? 1000);

it(
  `[SNP6] a snapshot that was changed anywhere is refused by an InvalidSnapshotError or restored to a breaker that works, ${RUNS} times`,
  {
    timeout: 3_600_000,
  },
  () => restoreMutated(RUNS),
);
