// Runs the command from its sources in a process of its own; the arguments are passed on.
import { fileURLToPath } from 'node:url';
import { defaultServerConditions, runnerImport } from 'vite';

const conditions = ['@teamfuse/source', ...defaultServerConditions];
await runnerImport(fileURLToPath(new URL('../../src/main.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'silent',
  resolve: { conditions },
  ssr: { resolve: { conditions } },
});
