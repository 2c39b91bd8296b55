import { Breaker } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { checkBreaker } from '../../src/index.ts';

describe('checkBreaker', () => {
  it('[KIT40] takes a breaker, and an object of another copy that has what a breaker has', () => {
    const breaker = new Breaker();
    expect(checkBreaker('the team', breaker)).toBe(breaker);
    const members = ['observe', 'admit', 'settled', 'now', 'beginRun', 'on', 'conversation'];
    const other = Object.fromEntries(members.map((member) => [member, () => {}]));
    expect(checkBreaker('the team', other)).toBe(other);
    expect(() => checkBreaker('the team', { ...other, on: true })).toThrow(GuardInstallError);
  });

  it.each<[unknown, string]>([
    [undefined, 'nothing'],
    [null, 'nothing'],
    [3, 'a number'],
    [() => {}, 'a function'],
    [{}, 'an object of class Object'],
    [new Map(), 'an object of class Map'],
    [{ constructor: { name: 7 } }, 'an object of class Object'],
    [{ constructor: { name: 'x'.repeat(200) } }, `an object of class ${'x'.repeat(80)}`],
    [Object.create(null), 'an object'],
  ])('[KIT40] says what came instead (%#)', (value, received) => {
    expect(() => checkBreaker('the team', value)).toThrow(
      new GuardInstallError('the team', `a Breaker, received ${received}`),
    );
  });

  it('[KIT40] says what came instead, though it cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(() => checkBreaker('the team', proxy)).toThrow('a Breaker, received an object');
  });
});
