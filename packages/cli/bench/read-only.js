// Reads every recording of a directory as the command does, and parses each line: nothing else.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { openInput } from '../dist/index.js';
import { figures } from './figures.js';

let conversations = 0;
let bytes = 0;
const count = async function* (chunks) {
  for await (const chunk of chunks) {
    bytes += chunk.length;
    yield chunk;
  }
};
for (const name of readdirSync(argv[2]).sort()) {
  if (!name.includes('.jsonl')) continue;
  const input = await openInput(join(argv[2], name), { broken: () => {} });
  for await (const batch of input.valuesOf(count)) conversations += batch.length;
}
figures({ conversations, bytes });
