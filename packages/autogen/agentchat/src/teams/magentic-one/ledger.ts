import type { ChatCompletionClient, CreateOptions, LLMMessage } from '@teamfuse/models';
import { z } from 'zod';
import { ValueError } from '../../base/errors.ts';
import { answerOf, textOf } from '../../model-calls/model-call.ts';
import { strictJsonSchemaOf } from '../../tools/schema.ts';

/** The answer to one question of a ledger. */
interface LedgerEntry<TAnswer> {
  readonly reason: string;
  readonly answer: TAnswer;
}

/** The progress report of the orchestrator's model; the prompt asks for these names. */
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

/** Attempts to get a ledger that can be parsed. */
const ATTEMPTS = 10;

/**
 * Asks the model for a ledger, and again if the answer cannot be parsed.
 *
 * @throws {@link ValueError} when no answer can be parsed, and at once for a speaker that is not in the team.
 */
export async function askForLedger(
  client: ChatCompletionClient,
  messages: readonly LLMMessage[],
  names: readonly string[],
  options: CreateOptions,
): Promise<Ledger> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const reply = await answerOf(client, messages, { ...options, ...outputOptions(client) });
    const ledger = readLedger(textOf(reply), names);
    if (ledger === undefined) continue;
    if (ledger.is_request_satisfied.answer || names.includes(ledger.next_speaker.answer)) {
      return ledger;
    }
    break;
  }
  throw new ValueError('Failed to parse ledger information after multiple retries.');
}

/** Reads a ledger, with or without a code fence; a team of one needs no next speaker. */
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
