import { FunctionTool } from '@teamfuse/agentchat';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

test('[TOOL21] the function gets what the schema puts out', () => {
  new FunctionTool({
    name: 'f',
    description: '',
    parameters: z.object({ a: z.string().transform(Number), b: z.boolean().default(true) }),
    func: (args, options) => {
      expectTypeOf(args).toEqualTypeOf<{ a: number; b: boolean }>();
      expectTypeOf(options.signal).toEqualTypeOf<AbortSignal | undefined>();
    },
  });
});

test('[TOOL21] a function that wants other arguments is not accepted', () => {
  new FunctionTool({
    name: 'f',
    description: '',
    parameters: z.object({ a: z.string() }),
    // @ts-expect-error a is a string
    func: ({ a }: { a: number }) => a,
  });
});
