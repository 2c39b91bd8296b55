import { testLeases } from '../support/test-leases.ts';

/** `LEASE_SCENES=1000` takes some minutes. */
testLeases(Array.from({ length: Number(process.env.LEASE_SCENES ?? 20) }, (_, i) => i + 1));
