import { exit } from 'node:process';
import { parseArgs } from 'node:util';
import { evalExplain } from './commands/eval-explain.ts';
import { evalFigures } from './commands/eval-figures.ts';
import { evalOutcomes } from './commands/eval-outcomes.ts';
import { evalScenarios } from './commands/eval-scenarios.ts';
import { evalTraces } from './commands/eval-traces.ts';

const USAGE = `usage:
  npm run eval -- scenarios <directory> [--asks <file>] [--answers <file>] [--json]
  npm run eval -- traces <corpus directory> <labels file> [--asks <file>] [--answers <file>] [--json]
  npm run eval -- outcomes <corpus directory> [--json]
  npm run eval -- figures [corpus directory]
  npm run eval -- explain <file of scenarios or recordings> [id]`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      asks: { type: 'string' },
      answers: { type: 'string' },
    },
  });
  const { json: isJson, asks, answers } = values;
  const [command, first, second] = positionals;
  if (command === 'scenarios' && first !== undefined) {
    console.log(await evalScenarios(first, { isJson, asks, answers }));
  } else if (command === 'traces' && first !== undefined && second !== undefined) {
    console.log(await evalTraces(first, second, { isJson, asks, answers }));
  } else if (command === 'outcomes' && first !== undefined) {
    console.log(await evalOutcomes(first, isJson));
  } else if (command === 'figures') {
    console.log(await evalFigures(first));
  } else if (command === 'explain' && first !== undefined) {
    console.log(evalExplain(first, second));
  } else {
    throw new Error(USAGE);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  exit(2);
}
