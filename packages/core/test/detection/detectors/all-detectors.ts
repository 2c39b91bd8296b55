import { createDetectors } from '../../../src/detection/detectors/default-detectors.ts';
import { type Detector, LimitDetector, RateDetector } from '../../../src/detectors.ts';

const DEFAULTS = createDetectors({}).map(
  ({ kind }) =>
    [kind, () => createDetectors({}).find((one) => one.kind === kind) as Detector] as const,
);
const STOP_TEXTS = [{ text: 'Thank you again.' }];

/** All detectors, as they are by default and as they may be declared. */
export const DETECTORS: readonly (readonly [string, () => Detector])[] = [
  ...DEFAULTS,
  ['limit', () => new LimitDetector({ maxMessages: 150, maxTurns: 60, maxRunMs: 90_000 })],
  ['limit with stop texts', () => new LimitDetector({ stopTexts: STOP_TEXTS })],
  ['declared rate', () => new RateDetector({ rates: [{ signal: 'usage', max: 3, perMs: 5000 }] })],
];
