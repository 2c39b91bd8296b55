import { resolve } from 'node:path';
import { defaultServerConditions, runnerImport } from 'vite';

// Runs a module from its sources, without a build: packages of ours are resolved to their sources, not left to Node.
const [, , file = '', ...args] = process.argv;
process.argv = [process.execPath, file, ...args];
const conditions = ['@teamfuse/source', ...defaultServerConditions];
const inline = {
  resolve: { conditions, externalConditions: conditions, noExternal: [/^@teamfuse\//] },
};
await runnerImport(resolve(file), {
  configFile: false,
  logLevel: 'silent',
  environments: { inline },
});
