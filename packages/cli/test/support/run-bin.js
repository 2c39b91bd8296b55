import { fileURLToPath } from 'node:url';
import { defaultServerConditions, runnerImport } from 'vite';

const conditions = ['@teamfuse/source', ...defaultServerConditions];
// Without a build there is no other entry: packages of ours have to be resolved to their sources, not left to Node.
const resolve = { conditions, externalConditions: conditions, noExternal: [/^@teamfuse\//] };
await runnerImport(fileURLToPath(new URL('../../src/bin.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'silent',
  environments: { inline: { resolve } },
});
