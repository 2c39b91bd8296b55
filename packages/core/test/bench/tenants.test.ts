import { it } from 'vitest';
import { checkTenants } from './check-tenants.ts';

it('[TEN11] no tenant of a server sees the trip of another, with 60 requests at once', () =>
  checkTenants(10, 6));
