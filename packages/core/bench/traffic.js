import { prose, seededRandom } from './words.js';

const SPEAKERS = ['planner', 'researcher', 'writer', 'critic', 'editor'];
const MESSAGE_LENGTH = 200;

/** Messages of 200 characters by five speakers. */
export function conversation(seed) {
  const random = seededRandom(seed);
  return endless((i) => ({
    kind: 'message',
    at: i * 1000,
    agent: SPEAKERS[random(SPEAKERS.length)],
    text: prose(random, MESSAGE_LENGTH, i),
  }));
}

/** A coder at work: a model call, a message, an edit, a test run, over and over, with something new in each. */
export function coding(seed) {
  const random = seededRandom(seed);
  return endless((i) => ({ at: i * 1000, agent: 'coder', ...CODING_STEPS[i % 5](random, i) }));
}

const CODING_STEPS = [
  (_, i) => ({ kind: 'model-request', model: 'm', requestId: `r${i}`, estimatedCostUsd: 0.01 }),
  (random, i) => ({
    kind: 'usage',
    model: 'm',
    requestId: `r${i - 1}`,
    inputTokens: 900 + random(200),
    outputTokens: 150,
    costUsd: 0.002,
  }),
  (random, i) => ({ kind: 'message', text: prose(random, 120, i) }),
  (random, i) => ({
    kind: 'tool-call',
    tool: 'edit',
    args: {
      path: `src/${prose(random, 12, i)}.ts`,
      line: random(400),
      text: prose(random, 160, i),
    },
    result: { ok: true, changed: random(20) },
  }),
  (random, i) => ({
    kind: 'execution',
    agent: 'runner',
    language: 'sh',
    code: 'npm test',
    exitCode: 0,
    output: `${random(90)} passed in ${random(900)} ms\n${prose(random, 160, i)}`,
  }),
];

/** Signals made in order, a stretch at a time, so that a long run needs little memory. */
function endless(signalAt) {
  let made = 0;
  return {
    next: (length) => Array.from({ length }, () => signalAt(made++)),
  };
}
