import { describe, expect, it } from 'vitest';
import { SeenItems } from '../../src/signals/seen-items.ts';
import { text } from '../support/items.ts';

describe('a task that was told when its run began', () => {
  it('[ONE5] is passed over once, where user says it', () => {
    const seen = new SeenItems();
    seen.announce('Go');
    const others = [text('user', 'Wait'), text('a', 'Go')];
    expect(seen.enter(others)).toEqual(others);
    expect(seen.enter([text('user', 'Go')])).toEqual([]);
    expect(seen.enter([text('user', 'Go')])).toHaveLength(1);
  });

  it('[ONE5] is passed over once for each of its messages', () => {
    const seen = new SeenItems();
    const task = [text('user', 'Go'), text('archive', 'Notes')];
    seen.announce(task);
    const answer = text('a', 'Done');
    expect(seen.enter([...task, answer])).toEqual([answer]);
  });
});
