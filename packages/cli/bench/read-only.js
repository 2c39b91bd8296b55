// Reads every line of the recordings in a directory as the command does, and parses it: nothing else.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { openInput } from '../dist/index.js';
import { figures } from './figures.js';

let conversations = 0;
let bytes = 0;
for (const name of readdirSync(argv[2]).sort()) {
  if (!/\.jsonl(\.gz)?$/.test(name)) continue;
  const input = await openInput(join(argv[2], name), { broken: () => {} });
  for await (const lines of input.lines()) {
    for (const { text } of lines) {
      JSON.parse(text);
      bytes += text.length;
    }
    conversations += lines.length;
  }
}
figures({ conversations, bytes });
