// Runs the bench of the stores.
import { runTypeScript } from './run-typescript.js';

runTypeScript(new URL('../test/bench/stores-main.ts', import.meta.url));
