import type { ChatCompletionClient, CreateOptions, LLMMessage } from '@teamfuse/models';
import { z } from 'zod';
import { ValueError } from '../../base/errors.ts';
import { textOf } from '../../model-calls/model-call.ts';
import { strictJsonSchemaOf } from '../../tools/schema.ts';

/** One of the questions of a ledger, answered. */
interface LedgerEntry<TAnswer> {
  readonly reason: string;
  readonly answer: TAnswer;
}

/** Where the orchestrator's model says the work stands; the names are what the prompt asks for. */
export interface Ledger {
  readonly is_request_satisfied: LedgerEntry<boolean>;
  readonly is_in_loop: LedgerEntry<boolean>;
  readonly is_progress_being_made: LedgerEntry<boolean>;
  readonly next_speaker: LedgerEntry<string>;
  readonly instruction_or_question: LedgerEntry<string>;
}

const judgement = z.object({ reason: z.string(), answer: z.boolean() });
const choice = z.object({ reason: z.string(), answer: z.string() });
const ledgerSchema: z.ZodType<Ledger> = z.object({
  is_request_satisfied: judgement,
  is_in_loop: judgement,
  is_progress_being_made: judgement,
  next_speaker: choice,
  instruction_or_question: choice,
});

/** How often the model is asked for a ledger that can be read. */
const ATTEMPTS = 10;

/**
 * Asks the model where the work stands, again if the answer cannot be read.
 *
 * @throws {@link ValueError} when no answer can be read, and at once when the named speaker is not in the team.
 */
export async function askForLedger(
  client: ChatCompletionClient,
  messages: readonly LLMMessage[],
  names: readonly string[],
  options: CreateOptions,
): Promise<Ledger> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const reply = await client.create(messages, { ...options, ...outputOptions(client) });
    const ledger = readLedger(textOf(reply), names);
    if (ledger === undefined) continue;
    if (ledger.is_request_satisfied.answer || names.includes(ledger.next_speaker.answer)) {
      return ledger;
    }
    break;
  }
  throw new ValueError('Failed to parse ledger information after multiple retries.');
}

/** Reads a ledger, also out of a fenced block; a team of one needs nobody to be named. */
function readLedger(text: string, names: readonly string[]): Ledger | undefined {
  const [, fenced] = /```(?:json)?\s*\n([\s\S]*?)```/i.exec(text) ?? [];
  let data: unknown;
  try {
    data = JSON.parse(fenced ?? text);
  } catch {
    return undefined;
  }
  const [only, ...others] = names;
  const named =
    typeof data === 'object' && data !== null && only !== undefined && others.length === 0
      ? { ...data, next_speaker: { reason: 'Nobody else is in the team.', answer: only } }
      : data;
  return ledgerSchema.safeParse(named).data;
}

function outputOptions({ modelInfo }: ChatCompletionClient): CreateOptions {
  if (modelInfo.structuredOutput) {
    const schema = strictJsonSchemaOf(ledgerSchema, 'progress ledger');
    return { jsonOutput: { name: 'LedgerEntry', schema } };
  }
  return modelInfo.jsonOutput ? { jsonOutput: true } : {};
}
