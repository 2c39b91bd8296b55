import { expect, it } from 'vitest';
import { SpeakerCycleDetector } from '../../src/detectors.ts';
import { Breaker } from '../../src/index.ts';
import { message, turn } from '../support/signals.ts';

it('[SNP2] gives a probe after a restored half-open circuit a number of its own', () => {
  let now = 0;
  const options = { cooldownMs: 1000, now: () => now };
  const first = new Breaker(options);
  for (let i = 0; i < 3; i++) first.observe(message('writer', 'The same line once more.'));
  now = 1500;
  expect(first.admit(turn('writer', now))).toMatchObject({ permit: { isProbe: true } });
  const { conversations } = first.snapshot();
  expect(conversations['']?.circuit).toMatchObject({ status: 'half-open', probeId: 1 });
  const second = new Breaker(options);
  second.restore(JSON.parse(JSON.stringify(first.snapshot())));
  now = 10_000;
  second.admit(turn('writer', now));
  expect(second.conversation().state).toMatchObject({ status: 'half-open', probeId: 2 });
});

it('[SPK4] takes a short window for the longest ring as well', () => {
  expect(() => new SpeakerCycleDetector({ windowTurns: 6 })).not.toThrow();
});
