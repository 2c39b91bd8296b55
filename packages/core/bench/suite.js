import { nsPerSignal } from './observing.js';
import { nsPerCall } from './other-breakers.js';
import { warmUpReference } from './reference.js';
import { nsPerStreamed } from './streaming.js';
import { coding, conversation } from './traffic.js';

/** For a message of 200 characters. */
const TARGET_NS = 4000;
/** Medians that lie further apart are no noise. */
const MAX_SPREAD = 1.5;
/** How many calls that do nothing a message may take, by the first of the other breakers. */
const MAX_RATIO = 8;
const WARM_UPS = 40;
const SEED = 1;

/** With fewer calm runs, the machine was too busy to say. */
const MIN_CALM = 10;

/** Measures all, prints a line for each figure, and ends with a line that says whether the target is met. */
export async function runSuite({ count, runs, histories, print, warmUps = WARM_UPS }) {
  const options = { count, runs, warmUps };
  print(`medians of up to ${runs} runs of ${count}, each figure after ${warmUps} runs to warm up;`);
  print('runs beside which a reference was slowed down by others on the machine are left out');
  warmUpReference();
  // What runs first is compiled for what it sees; a round of everything makes the rows comparable.
  for (const traffic of [conversation(SEED), coding(SEED)]) {
    await nsPerSignal({ ...options, runs: warmUps, traffic, history: count });
  }
  const talk = new Map();
  for (const history of histories) {
    const name = `observe, 200 characters, after ${history.toLocaleString('en')} signals`;
    talk.set(name, await nsPerSignal({ ...options, traffic: conversation(SEED), history }));
  }
  const history = histories[1] ?? count;
  const name = `observe, coding, after ${history.toLocaleString('en')} signals`;
  const work = new Map([[name, await nsPerSignal({ ...options, traffic: coding(SEED), history })]]);
  work.set('200 characters of an answer that streams', await nsPerStreamed(options));
  const others = Object.entries(await nsPerCall(options));
  // Only now is it known how fast the reference can be.
  for (const [row, figures] of [...talk, ...work, ...others]) print(line(row, figures.summarize()));
  print(verdict([...talk.values()], others[0][1]));
}

function line(name, { median, fastest, slowest, calm, runs }) {
  const range = `${fastest.toFixed(0)} to ${slowest.toFixed(0)}`;
  const figure = median.toFixed(0).padStart(7);
  return `${name.padEnd(58)} ${figure} ns   (${range}; ${calm} calm runs of ${runs})`;
}

function verdict(talk, other) {
  const lengths = talk.map((figures) => figures.summarize());
  const medians = lengths.map(({ median }) => median);
  const slowest = Math.max(...medians);
  const spread = slowest / Math.min(...medians);
  const call = other.summarize();
  const ratio = Math.min(...medians) / call.median;
  const figures = [
    `slowest ${slowest.toFixed(0)} ns`,
    `spread ${spread.toFixed(2)}`,
    `${ratio.toFixed(1)} times cockatiel`,
  ].join(', ');
  const target = `under ${TARGET_NS} ns at any length of history, within a factor of ${MAX_SPREAD}, at most ${MAX_RATIO} times cockatiel`;
  const isMet = slowest < TARGET_NS && spread <= MAX_SPREAD && ratio <= MAX_RATIO;
  if (isMet) return `target met: ${target} (${figures})`;
  const isBusy = [...lengths, call].some(({ calm }) => calm < MIN_CALM);
  const why = isBusy ? '; the machine was too busy to be sure' : '';
  return `target missed: ${target} (${figures}${why})`;
}
