// Compares rules for the size of leases.
import { runTypeScript } from './run-typescript.js';

runTypeScript(new URL('../test/leases/main.ts', import.meta.url));
