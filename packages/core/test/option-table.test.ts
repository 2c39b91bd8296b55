import { describe, expect, it } from 'vitest';
import { type OptionTable, readOptions } from '../src/common/option-table.ts';
import { DETECTOR_SPECS } from '../src/detectors.ts';
import { BREAKER_OPTIONS } from '../src/options.ts';

interface Options {
  readonly limit?: number;
  readonly part?: number;
  readonly share?: number;
  readonly isOn?: boolean;
  readonly size?: 'small' | 'large';
  readonly names?: readonly string[];
  readonly inner?: { readonly times: number };
}

const TABLE: OptionTable<Options, 'names' | 'inner'> = {
  limit: { type: 'integer', min: 1, max: 50, default: 10, isScaled: true },
  part: { type: 'integer', min: 1, atMost: 'limit', default: 8 },
  share: { type: 'number', min: 0, max: 1, default: 0.5, isScaled: true },
  isOn: { type: 'flag', default: false },
  size: { type: 'choice', values: ['small', 'large'], default: 'small' },
  names: { type: 'texts' },
  inner: {
    type: 'table',
    documentedBy: 'Inner',
    of: { times: { type: 'integer', min: 2, isRequired: true } },
  },
};

function read(given: object, factor?: number): object {
  return readOptions<Options, 'names' | 'inner'>('job', given, TABLE, factor);
}

describe('options by their table', () => {
  it('[BRK41] have their defaults where nothing is given', () => {
    const defaults = { limit: 10, part: 8, share: 0.5, isOn: false, size: 'small' };
    expect(read({})).toEqual(defaults);
    expect(read({ limit: undefined, names: ['a'] })).toEqual({ ...defaults, names: ['a'] });
  });

  it('[BRK41] have defaults that keep to the other options and to the sensitivity', () => {
    expect(read({ limit: 3 })).toMatchObject({ limit: 3, part: 3 });
    expect(read({}, 0.75)).toMatchObject({ limit: 8, part: 8, share: 0.375 });
    expect(read({}, 0.1)).toMatchObject({ limit: 2, part: 2 });
  });

  it.each([
    [{ limit: 0 }, "option 'job.limit': expected a whole number from 1 to 50, received 0"],
    [{ limit: 4, part: 5 }, "option 'job.part': expected a whole number from 1 to 4, received 5"],
    [{ share: 2 }, "option 'job.share': expected a finite number from 0 to 1, received 2"],
    [{ isOn: 1 }, "option 'job.isOn': expected true or false, received 1"],
    [{ size: 'tiny' }, 'option \'job.size\': expected small, large, received "tiny"'],
    [{ names: [7] }, "option 'job.names': expected an array of texts"],
    [{ inner: {} }, "option 'job.inner.times': expected a whole number of at least 2"],
    [{ limits: 3 }, "option 'job.limits': expected a known option (did you mean 'limit'?)"],
  ])('[BRK41] are refused by their path: %j', (given, message) => {
    expect(() => read(given)).toThrow(message);
  });

  it('[BRK41] have no default that they would refuse, nor a value that is tried in vain', () => {
    for (const { name, options } of DETECTOR_SPECS) {
      expect(Object.keys(BREAKER_OPTIONS)).toContain(name);
      for (const spec of Object.values(options)) {
        if (spec.type !== 'integer' && spec.type !== 'number') continue;
        const values = [spec.default ?? spec.min, ...(spec.tried ?? [])];
        expect(Math.min(...values)).toBeGreaterThanOrEqual(spec.min);
        expect(Math.max(...values)).toBeLessThanOrEqual(spec.max ?? Number.POSITIVE_INFINITY);
      }
    }
  });
});
