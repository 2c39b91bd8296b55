import type { StandardSchemaV1 } from '@standard-schema/spec';
import { FunctionTool, ValidationError } from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const add = new FunctionTool({
  name: 'add',
  description: 'Adds.',
  parameters: z.object({ a: z.number(), b: z.number().default(1) }),
  func: ({ a, b }) => a + b,
});

/** A schema of no library: a Standard Schema that only checks. */
const even: StandardSchemaV1<unknown, { n: number }> = {
  '~standard': {
    version: 1,
    vendor: 'by-hand',
    validate: (value) => {
      const n = (value as { n?: unknown }).n;
      return typeof n === 'number' && n % 2 === 0
        ? { value: { n } }
        : { issues: [{ message: 'not even', path: [{ key: 'n' }] }] };
    },
  },
};

describe('FunctionTool', () => {
  it('[TOOL20] describes itself to the model as JSON schema', () => {
    expect(add.schema).toMatchObject({
      name: 'add',
      description: 'Adds.',
      strict: false,
      parameters: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number', default: 1 } },
        required: ['a'],
      },
    });
  });

  it('[TOOL25] closes the schema when the model is to be held to it', () => {
    const strict = new FunctionTool({
      name: 'f',
      description: '',
      parameters: z.object({ a: z.number(), b: z.object({ c: z.string() }) }),
      func: () => 0,
      strict: true,
    });
    expect(strict.schema).toMatchObject({
      strict: true,
      parameters: {
        required: ['a', 'b'],
        additionalProperties: false,
        properties: { b: { additionalProperties: false } },
      },
    });
  });

  it('[TOOL25] describes a schema that transforms by what it accepts', () => {
    const strict = new FunctionTool({
      name: 'f',
      description: '',
      parameters: z.object({ a: z.string().transform(Number) }),
      func: () => 0,
      strict: true,
    });
    expect(strict.schema.parameters).toMatchObject({ properties: { a: { type: 'string' } } });
  });

  it('[TOOL21] gives the function arguments that are checked and filled in', async () => {
    expect(await add.runJson({ a: 2, unknown: true })).toBe(3);
  });

  it('[TOOL22] says what is wrong with arguments, under the name of the tool', async () => {
    const failure = add.runJson({ a: 'x' });
    await expect(failure).rejects.toThrow(/^1 validation error for addargs\na\n/);
    await expect(failure).rejects.toBeInstanceOf(ValidationError);
  });

  it('[TOOL23] takes any Standard Schema that comes with a JSON schema', async () => {
    const tool = new FunctionTool({
      name: 'half',
      description: 'Halves.',
      parameters: even,
      jsonSchema: { type: 'object' },
      func: ({ n }) => n / 2,
    });
    expect(await tool.runJson({ n: 4 })).toBe(2);
    await expect(tool.runJson({ n: 3 })).rejects.toMatchObject({
      issues: [{ loc: ['n'], message: 'not even' }],
    });
  });

  it('[TOOL23] refuses a schema that cannot describe itself when it gets no JSON schema', () => {
    const make = () =>
      new FunctionTool({ name: 'half', description: '', parameters: even, func: () => 0 });
    expect(make).toThrow('tool half: the schema (vendor by-hand) cannot describe itself');
  });

  it.each([undefined, { type: 'object' }])(
    '[TOOL23] refuses %j in place of a schema',
    (parameters) => {
      const wrong = { name: 'half', description: '', parameters, func: () => 0 } as never;
      expect(() => new FunctionTool(wrong)).toThrow(
        "option 'parameters': expected a schema such as z.object({ … })",
      );
    },
  );

  it.each([
    ['text', 'text'],
    [undefined, ''],
    [null, 'null'],
    [1.5, '1.5'],
    [{ a: [1, 'x'] }, '{"a":[1,"x"]}'],
    [10n, '10'],
  ])('[TOOL24] turns what a function gave into text for the model, case %#', (value, text) => {
    expect(add.returnValueAsString(value)).toBe(text);
  });

  it('[TOOL24] shows a value in words of one’s own', () => {
    const tool = new FunctionTool({
      name: 't',
      description: '',
      parameters: z.object({}),
      func: () => 1,
      returnValueAsString: (value) => `<${value}>`,
    });
    expect(tool.returnValueAsString(1)).toBe('<1>');
  });
});
