import { nsPerSignal } from './observing.js';
import { nsPerCall } from './other-breakers.js';
import { coding, conversation } from './traffic.js';

const TARGET_NS = 5000;
/** Medians that lie further apart are no noise. */
const MAX_SPREAD = 1.5;
const WARM_UPS = 40;
const SEED = 1;

/** Measures all, prints a line for each figure, and ends with a line that says whether the target is met. */
export async function runSuite({ count, runs, histories, print }) {
  const options = { count, runs, warmUps: WARM_UPS };
  const report = (name, { median, fastest, slowest }) => {
    const range = `${fastest.toFixed(0)} to ${slowest.toFixed(0)}`;
    print(`${name.padEnd(58)} ${median.toFixed(0).padStart(7)} ns   (${range})`);
  };
  print(`medians of ${runs} runs of ${count}, each after ${WARM_UPS} to warm up`);
  // What runs first is compiled for what it sees; a round of everything makes the rows comparable.
  for (const traffic of [conversation(SEED), coding(SEED)]) {
    nsPerSignal({ ...options, traffic, history: count });
  }
  const medians = [];
  for (const history of histories) {
    const figures = nsPerSignal({ ...options, traffic: conversation(SEED), history });
    medians.push(figures.median);
    report(`observe, 200 characters, after ${history.toLocaleString('en')} signals`, figures);
  }
  const history = histories[1] ?? count;
  const atWork = nsPerSignal({ ...options, traffic: coding(SEED), history });
  report(`observe, coding, after ${history.toLocaleString('en')} signals`, atWork);
  for (const [name, figures] of Object.entries(await nsPerCall(options))) report(name, figures);
  print(verdict(medians, atWork.median));
}

function verdict(medians, atWork) {
  const slowest = Math.max(...medians, atWork);
  const spread = Math.max(...medians) / Math.min(...medians);
  const isMet = slowest < TARGET_NS && spread <= MAX_SPREAD;
  const figures = `slowest ${slowest.toFixed(0)} ns, spread ${spread.toFixed(2)}`;
  return `target ${isMet ? 'met' : 'missed'}: under ${TARGET_NS} ns at any length of history, within a factor of ${MAX_SPREAD} (${figures})`;
}
