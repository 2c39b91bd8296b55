import { FileHistoryStore } from '../../src/index.ts';

// Keeps so many records in a file, one after another; prints a line for each.
const [file = '', task = '', count = ''] = process.argv.slice(2);
const store = new FileHistoryStore(file);
const cost = { nanoUsd: 0, tokens: 0, unpricedTokens: 0, isEstimate: false };
for (let at = 0; at < Number(count); at++) {
  await store.append({ task, at, outcome: 'completed', cost });
  process.stdout.write(`${at}\n`);
}
