import { describe, expect, it } from 'vitest';
import { taskIn } from '../../src/index.ts';

const TASK = 'Count the cranes.';
const EARLIER = { role: 'user', content: 'Good morning.' };

describe('[KIT50] the task in what an agent is given', () => {
  it.each([
    ['a text', TASK],
    ['texts', ['Good morning.', TASK]],
    ['a message', { role: 'user', content: TASK }],
    ['messages', [EARLIER, { role: 'user', content: TASK }]],
    ['a state with messages', { messages: [EARLIER, { type: 'human', content: TASK }] }],
    ['parts of a message', [{ role: 'user', content: [{ type: 'image' }, { text: TASK }] }]],
    ['a message of a page', [{ role: 'user', parts: [{ type: 'text', text: TASK }] }]],
    ['an item with a type of its own', [{ type: 'message', role: 'user', content: TASK }]],
    ['a pair of a role and a text', { messages: [['user', TASK]] }],
  ])('is %s', (_, given) => {
    expect(taskIn(given)).toBe(TASK);
  });

  it.each([
    ['what an agent has said', [EARLIER, { role: 'assistant', content: TASK }]],
    ['what a model has said', { messages: [{ type: 'ai', content: TASK }] }],
    ['a result', [{ role: 'tool', content: [{ type: 'tool-result', text: TASK }] }]],
    ['a picture', [{ role: 'user', content: [{ type: 'image' }] }]],
    ['nothing', undefined],
    ['no messages', []],
    ['a number', 7],
  ])('is not %s', (_, given) => {
    expect(taskIn(given)).toBeUndefined();
  });
});
