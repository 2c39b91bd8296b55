// Tries twenty attacks on the local executor and prints what was held: `npm run attacks`.
import { LocalCommandLineCodeExecutor } from '@teamfuse/code-executors';
import { tryAttacks } from './trial.js';

const none = await tryAttacks(LocalCommandLineCodeExecutor, 'none');
const isolated = await isolatedOrNothing();

console.log('| what the code does | in a namespace | without one |');
console.log('| --- | --- | --- |');
for (const [name, held] of none) {
  console.log(`| ${name} | ${word(isolated?.get(name))} | ${word(held)} |`);
}

async function isolatedOrNothing() {
  try {
    return await tryAttacks(LocalCommandLineCodeExecutor, 'required');
  } catch (error) {
    if (error.code !== 'ISOLATION_UNAVAILABLE') throw error;
    return undefined;
  }
}

function word(held) {
  if (held === undefined) return 'not tried: the system has none';
  return held ? 'held' : '**not held**';
}
