import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { type Answer, scripted } from './models.ts';

let lastCall = 0;

/** A model that wants to look at the same place again and again, or says that it is done after so many looks. */
export function looking(
  looks: number,
  place: (at: number) => string = () => 'sky',
): MockLanguageModelV4 {
  let asked = 0;
  const answer = (): Answer =>
    asked++ < looks
      ? {
          text: '',
          calls: [{ id: `call-${lastCall++}`, tool: 'look', args: { at: place(asked) } }],
        }
      : { text: 'Done.' };
  const both = scripted(answer) as unknown as Pick<MockLanguageModelV4, 'doGenerate' | 'doStream'>;
  return new MockLanguageModelV4(both);
}

/** Tools of which one looks at places. */
export function tools(result: (at: string) => string = () => 'blue'): {
  readonly look: ai.Tool<{ at: string }, string>;
} {
  return {
    look: ai.tool({
      inputSchema: z.object({ at: z.string() }),
      execute: async ({ at }) => result(at),
    }),
  };
}
