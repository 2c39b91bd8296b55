import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Replacement, replaceMember } from '../../src/index.ts';

/** Three layers over a member, of which two are left after the first `undo`. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

class Counter {
  #value = 'original';
  readonly sets: string[] = [];

  get value(): string {
    return this.#value;
  }

  set value(value: string) {
    this.sets.push(value);
    this.#value = value;
  }

  act(): string {
    return 'original';
  }
}

describe('replaceMember', () => {
  it.each(ORDERS)(
    '[KIT1] leaves no trace of layers removed in the order %i, %i, %i',
    (...order) => {
      const target = { name: 'ann', act: 'original' };
      const before = Object.getOwnPropertyDescriptors(target);
      const layers = ['a', 'b', 'c'].map((value) => replaceMember(target, 'ann', 'act', value));
      for (const at of order) layers[at]?.undo();
      expect(Object.getOwnPropertyDescriptors(target)).toEqual(before);
    },
  );

  it('[KIT1] shows the latest layer that is left, whatever is put on and taken off', () => {
    const commands = fc.array(fc.oneof(fc.constant('put' as const), fc.nat({ max: 5 })));
    fc.assert(
      fc.property(commands, (all) => {
        const target = { act: 0 };
        const layers: { readonly value: number; readonly layer: Replacement }[] = [];
        let count = 0;
        for (const command of all) {
          if (command === 'put') {
            const value = ++count;
            layers.push({ value, layer: replaceMember(target, 'ann', 'act', value) });
          } else {
            const [removed] = layers.splice(command, 1);
            removed?.layer.undo();
            removed?.layer.undo();
          }
          expect(target.act).toBe(layers.at(-1)?.value ?? 0);
        }
      }),
    );
  });

  it('[KIT1] is removed once, whatever lies above it', () => {
    const target = { act: 'original' };
    const [first, second, third] = ['a', 'b', 'c'].map((value) =>
      replaceMember(target, 'ann', 'act', value),
    );
    for (const layer of [second, second, first, third]) layer?.undo();
    expect(target.act).toBe('original');
  });

  it('[KIT2] covers a member that is not there, and takes it away again', () => {
    const target: { act?: string } = {};
    const replacement = replaceMember(target, 'ann', 'act', 'tapped');
    expect([target.act, Object.keys(target)]).toEqual(['tapped', []]);
    replacement.undo();
    expect(Object.hasOwn(target, 'act')).toBe(false);
  });

  it('[KIT2] covers a method of the class, and uncovers it', () => {
    const counter = new Counter();
    const replacement = replaceMember(counter, 'counter', 'act', () => 'tapped');
    expect(counter.act()).toBe('tapped');
    expect(Object.keys(counter)).toEqual(['sets']);
    replacement.undo();
    expect(Object.hasOwn(counter, 'act')).toBe(false);
    expect(counter.act()).toBe('original');
  });

  it('[KIT2] goes through the setter of an accessor, there and back', () => {
    const counter = new Counter();
    replaceMember(counter, 'counter', 'value', 'tapped').undo();
    expect(counter.sets).toEqual(['tapped', 'original']);
  });

  it('[KIT1] is in place under that of a later guard, as long as both are there', () => {
    const target = { act: 'original' };
    const [first, second] = ['first', 'second'].map((value) =>
      replaceMember(target, 'ann', 'act', value),
    );
    expect([first?.isInPlace(), second?.isInPlace()]).toEqual([true, true]);
    target.act = 'theirs';
    expect([first?.isInPlace(), second?.isInPlace()]).toEqual([false, false]);
    first?.undo();
    expect(first?.isInPlace()).toBe(false);
  });

  it('[KIT3] leaves alone what others have put there since', () => {
    const target = { act: 'original' };
    const replacement = replaceMember(target, 'ann', 'act', 'tapped');
    target.act = 'theirs';
    expect(replacement.isInPlace()).toBe(false);
    replacement.undo();
    expect(target.act).toBe('theirs');
  });

  it('[KIT4] has the error of the object as its cause', () => {
    const target = Object.freeze({ act: 'original' });
    expect(() => replaceMember(target, 'ann', 'act', 'tapped')).toThrow(
      expect.objectContaining({ cause: expect.any(TypeError) }),
    );
  });

  it.each([
    ['frozen', Object.freeze({ act: 'original' })],
    [
      'with a setter that ignores the value',
      Object.defineProperty({}, 'act', { get: () => 'original', set: () => {} }),
    ],
  ])('[KIT4] names the member of an object %s', (_, target) => {
    expect(() => replaceMember(target, "agent 'ann'", 'act', 'tapped')).toThrow(
      "cannot guard agent 'ann': expected a member act that can be replaced",
    );
  });
});
