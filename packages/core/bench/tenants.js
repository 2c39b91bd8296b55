// Many tenants of one server at once. `npm run bench:tenants`; for a quick look add `-- --tenants 100 --requests 10`.
import { parseArgs } from 'node:util';
import * as core from '@teamfuse/core';
import { runTenants } from './tenants/run.js';

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '50' },
  },
});
const [tenants, requests] = [Number(values.tenants), Number(values.requests)];
const wrong = await runTenants({ core, tenants, requests, print: console.log });
process.exitCode = wrong.length === 0 ? 0 : 1;
