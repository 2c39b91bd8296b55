import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../src/index.ts';
import { receivedText } from '../../src/io/received-text.ts';
import { speaker, TestIO } from '../cast.ts';

const rule = `\n${'-'.repeat(80)}`;

function shown(message: string | ChatMessage): string {
  return stripVTControlCharacters(receivedText(message, speaker('A'), speaker('B')));
}

describe('a received message on the console', () => {
  test('[ST4] shows who said it to whom', () => {
    expect(shown('hello')).toBe(`A (to B):\n\nhello\n${rule}`);
  });

  test('[ST4] frames the calls of a message', () => {
    const call = { name: 'f', arguments: '{}' };
    const title = '***** Suggested tool call (1): f *****';
    expect(shown({ content: null, tool_calls: [{ id: '1', function: call }] })).toBe(
      `A (to B):\n\n${title}\nArguments: \n{}\n${'*'.repeat(title.length)}\n${rule}`,
    );
    expect(shown({ content: 'text', function_call: {} })).toContain(
      'text\n***** Suggested function call: (No function name found) *****\nArguments: \n(No arguments found)',
    );
  });

  test('[ST4] frames each result', () => {
    const text = shown({
      role: 'tool',
      content: 'one',
      tool_responses: [{ role: 'tool', tool_call_id: '1', content: 'one' }],
    });
    expect(text).toContain('***** Response from calling tool (1) *****\none\n');
    expect(text.match(/one/g)).toHaveLength(1);
    expect(shown({ role: 'function', content: 'x' })).toContain('(No id found)');
  });

  test('[ST4] stays off the console when the chat or its sender is silent', async () => {
    const io = new TestIO();
    const b = speaker('B', { io });
    await speaker('A').send('x', b, { silent: true });
    await speaker('A', { silent: true }).send('x', b);
    expect(io.printed).toEqual([]);
    await speaker('A', { silent: false }).send('x', b, { silent: true });
    expect(io.printed).toHaveLength(1);
  });
});
