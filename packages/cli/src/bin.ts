#!/usr/bin/env node
import module from 'node:module';

// Node 22 and later need not compile again what they have compiled once.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const { run } = await import('./run.ts');
const { surviveLostOutput } = await import('./output/lost-output.ts');

surviveLostOutput();

process.exitCode = await run(process.argv);
