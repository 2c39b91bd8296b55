import { argv, exit } from 'node:process';
import { evalExplain } from './eval-explain.ts';
import { evalScenarios } from './eval-scenarios.ts';
import { evalTraces } from './eval-traces.ts';
import { sweepTraces } from './sweep.ts';

const USAGE = `usage:
  npm run eval -- scenarios <directory> [--json]
  npm run eval -- traces <corpus directory> <labels file> [--json]
  npm run eval -- sweep <corpus directory> <labels file>
  npm run eval -- explain <file of scenarios or recordings> [id]`;

const isJson = argv.includes('--json');
const [command, first, second] = argv.slice(2).filter((word) => word !== '--json');

if (command === 'scenarios' && first !== undefined) evalScenarios(first, isJson);
else if (command === 'traces' && first !== undefined && second !== undefined) {
  evalTraces(first, second, isJson);
} else if (command === 'sweep' && first !== undefined && second !== undefined) {
  sweepTraces(first, second);
} else if (command === 'explain' && first !== undefined) {
  try {
    console.log(evalExplain(first, second));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    exit(2);
  }
} else {
  console.error(USAGE);
  exit(2);
}
