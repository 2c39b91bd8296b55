import { z } from 'zod';

const judgement = z.object({ reason: z.string(), answer: z.boolean() });
const choice = z.object({ reason: z.string(), answer: z.string() });

/** Where the orchestrator's model says the work stands. The names are part of the prompt's contract. */
export const ledgerSchema = z.object({
  is_request_satisfied: judgement,
  is_in_loop: judgement,
  is_progress_being_made: judgement,
  next_speaker: choice,
  instruction_or_question: choice,
});

/** A progress ledger that has been checked. */
export type Ledger = z.infer<typeof ledgerSchema>;
