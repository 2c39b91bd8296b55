import type { OutputContentType } from '@teamfuse/agentchat';
import { z } from 'zod';

/** The kinds of structured content the vectors use, by name; the order of the fields matters. */
export const contentModels: Readonly<Record<string, Omit<OutputContentType, 'name'>>> = {
  Report: {
    schema: z.object({ title: z.string(), score: z.int() }),
    // Dumps hold the schema as the recorded library's own models describe themselves.
    jsonSchema: {
      properties: {
        title: { title: 'Title', type: 'string' },
        score: { title: 'Score', type: 'integer' },
      },
      required: ['title', 'score'],
      title: 'Report',
      type: 'object',
    },
  },
  Verdict: {
    schema: z.object({
      ok: z.boolean(),
      reasons: z.array(z.string()),
      note: z.string().nullable(),
    }),
  },
  InputTask1: { schema: z.object({ task: z.string(), data: z.array(z.string()) }) },
  InputTask2: { schema: z.object({ task: z.string(), data: z.string() }) },
  Status: { schema: z.object({ content: z.string(), data: z.string() }) },
};
