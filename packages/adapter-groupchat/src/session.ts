import type { Breaker } from '@teamfuse/core';
import { Admission } from './admission.ts';
import type { CheckedOptions } from './guard-options.ts';
import { Observation } from './observation.ts';
import { UntappedSpeech } from './untapped-speech.ts';
import { UntappedTurns } from './untapped-turns.ts';
import { Watch } from './watch.ts';

/** One breaker and everything that stands between it and the agents. */
export class Session {
  readonly watch: Watch;
  readonly admission: Admission;
  readonly observation: Observation;
  readonly untappedTurns: UntappedTurns;
  readonly untappedSpeech: UntappedSpeech;

  constructor(breaker: Breaker, options: CheckedOptions) {
    this.watch = new Watch(breaker, options);
    this.admission = new Admission(this.watch);
    this.observation = new Observation(this.watch);
    this.untappedTurns = new UntappedTurns(this.watch);
    this.untappedSpeech = new UntappedSpeech(this.watch);
  }
}
