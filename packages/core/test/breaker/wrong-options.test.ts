import { describe, expect, it } from 'vitest';
import { RepetitionDetector, SpeakerCycleDetector } from '../../src/detectors.ts';
import { Breaker } from '../../src/index.ts';

class MyDetector {
  readonly kind = 'custom:mine';
}

describe('options that do not exist', () => {
  it.each<[unknown, string, string]>([
    [60, 'options', 'expected an object, received 60'],
    [[], 'options', 'expected an object'],
    [{ maxMesages: 5 }, 'maxMesages', "did you mean 'maxMessages'?"],
    [{ max_messages: 5 }, 'max_messages', "did you mean 'maxMessages'?"],
    [{ maxRunMS: 5 }, 'maxRunMS', "did you mean 'maxRunMs'?"],
    [
      { timeout: 60 },
      'timeout',
      "option 'timeout': expected a known option (did you mean 'timers', 'limits' or 'rate'? All are in https://github.com/teamfuse/teamfuse/blob/main/docs/options.md), received 60",
    ],
    [
      { budget: { perWeek: 5 } },
      'budget.perWeek',
      "did you mean 'perUser', 'perTeam' or 'perKey'?",
    ],
    [{ nwo: () => 0 }, 'nwo', "did you mean 'now'?"],
    [{ budget: 6 }, 'budget', 'expected an object, received 6'],
    [{ budget: { maxUSD: 6 } }, 'budget.maxUSD', "did you mean 'maxUsd'?"],
    [{ contextWindow: { maxTokens: 6 } }, 'contextWindow.maxTokens', 'one of the options'],
    [{ maxUsd: 6 }, 'maxUsd', "did you mean 'budget.maxUsd'?"],
    [{ maxTokens: 6 }, 'maxTokens', "'budget.maxTokens' or 'wrapUp.maxTokens'?"],
    [{ limit: 6 }, 'limit', "did you mean 'limits'?"],
    [{ repetition: { limits: 3 } }, 'repetition.limits', "did you mean 'limit'?"],
    [{ speakerCycle: { window: 20 } }, 'speakerCycle.window', 'one of the options'],
    [{ executionStorm: { maxInRow: 3 } }, 'executionStorm.maxInRow', "did you mean 'maxInARow'?"],
    [
      { executionStorm: { sameErrorLimit: 3 } },
      'executionStorm.sameErrorLimit',
      'limit, maxInARow',
    ],
    [{ historyDrift: { ratios: 3 } }, 'historyDrift.ratios', "did you mean 'ratio'?"],
    [{ nestedCascade: { depth: 3 } }, 'nestedCascade.depth', 'maxDepth'],
    [{ rate: { rate: [] } }, 'rate.rate', "did you mean 'rates'?"],
    [
      { speakerCycle: { samePair: { time: 3 } } },
      'speakerCycle.samePair.time',
      "did you mean 'times'?",
    ],
    [{ judge: { confirm: () => 0, askat: 1 } }, 'judge.askat', "did you mean 'askAt'?"],
    [{ analysis: { volatile: [] } }, 'analysis.volatile', 'volatileFields'],
    [
      { analysis: { tools: { search: { loopkey: 1 } } } },
      'analysis.tools.search.loopkey',
      "did you mean 'loopKey'?",
    ],
    [
      { analysis: { tools: { job: { polls: { maxWait: 1 } } } } },
      'analysis.tools.job.polls.maxWait',
      "did you mean 'maxWaitMs'?",
    ],
    [
      { analysis: { tools: { job: { isFailure: 1 } } } },
      'analysis.tools.job.isFailure',
      'an object',
    ],
    [
      { analysis: { tools: { job: { isFailure: { field: 'state' } } } } },
      'analysis.tools.job.isFailure.is',
      'an array of texts',
    ],
    [{ detectors: new MyDetector() }, 'detectors', 'an array of functions'],
    [{ detectors: [MyDetector] }, 'detectors', '() => new MyDetector()'],
    [{ detectors: [() => new MyDetector()] }, 'detectors', 'functions that return detectors'],
  ])('[BRK26] are refused by a breaker: %j', (options, option, text) => {
    const make = (): Breaker => new Breaker(options as never);
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', option }));
    expect(make).toThrow(text);
  });

  it('[BRK26] are told from an object of a class in their place', () => {
    const make = (): Breaker => new Breaker(new Breaker() as never);
    expect(make).toThrow("option 'options': expected a plain object of options");
    class Settings {
      readonly maxMessages = 3;
    }
    expect(new Breaker(new Settings()).conversation().state.status).toBe('closed');
  });

  it('[BRK26] are refused by a detector of its own', () => {
    expect(() => new RepetitionDetector({ limits: 3 } as never)).toThrow("did you mean 'limit'?");
    expect(() => new SpeakerCycleDetector(5 as never)).toThrow('expected an object');
  });
});
