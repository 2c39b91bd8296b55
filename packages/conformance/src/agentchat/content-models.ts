import { z } from 'zod';

/** The kinds of structured content the vectors use, by name; the order of the fields matters. */
export const contentModels: Readonly<Record<string, z.ZodObject>> = {
  Report: z.object({ title: z.string(), score: z.int() }),
  Verdict: z.object({ ok: z.boolean(), reasons: z.array(z.string()), note: z.string().nullable() }),
  InputTask1: z.object({ task: z.string(), data: z.array(z.string()) }),
  InputTask2: z.object({ task: z.string(), data: z.string() }),
  Status: z.object({ content: z.string(), data: z.string() }),
};
