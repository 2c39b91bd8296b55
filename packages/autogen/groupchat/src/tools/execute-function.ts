import {
  JsonTextError,
  parseJson,
  refusalReason,
  spacedJson,
  typeName,
} from '@teamfuse/python-compat';
import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { coloured } from '../io/io-stream.ts';
import type { FunctionCallRequest } from '../messages/message.ts';
import { refusalBy } from '../taps/tap.ts';

/** The named arguments a model gives to a function. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** How a function is called. */
export interface ToolCallOptions {
  /** Aborts when a tap ends the step; absent without such a tap. */
  readonly signal?: AbortSignal | undefined;
}

/** A function that a model may call; its result is passed on as text, or else as JSON. */
export type ToolFunction = (args: ToolArguments, options?: ToolCallOptions) => unknown;

/** The result of executing a function: text for the model, also in case of an error. */
export interface FunctionOutcome {
  readonly succeeded: boolean;
  readonly content: string;
}

/**
 * Executes the function that a model called; errors become text for the model.
 *
 * @throws the refusal of a guard on the function itself, which ends the turn: as a text it would make the model call again.
 */
export async function runFunction(
  agent: ConversableAgent,
  call: FunctionCallRequest,
  options?: ToolCallOptions,
): Promise<FunctionOutcome> {
  const name = call.name ?? '';
  const body = agent.functionMap.get(name);
  if (!body) return failed(`Error: Function ${name} not found.`);
  try {
    const args = readArguments(name, call.arguments ?? '{}');
    agent.io.print(coloured('magenta', `\n>>>>>>>> EXECUTING FUNCTION ${name}...`));
    return { succeeded: true, content: resultText(await body(args, options)) };
  } catch (error) {
    const reason = refusalReason(error);
    if (reason !== undefined) throw refusalBy(reason, error);
    if (error instanceof JsonTextError) {
      return failed(`Error: ${error.message}\n The argument must be in JSON format.`);
    }
    return failed(`Error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The text a model reads as the result of a function. */
function resultText(result: unknown): string {
  return typeof result === 'string' ? result : spacedJson(result);
}

function readArguments(name: string, text: string): ToolArguments {
  const args = parseJson(repaired(text));
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) {
    return args as ToolArguments;
  }
  throw new TypeError(`${name}() argument after ** must be a mapping, not ${typeName(args)}`);
}

// Models put raw line breaks and tabs into strings, which JSON forbids.
function repaired(text: string): string {
  let result = '';
  let isQuoted = false;
  let previous = ' ';
  for (const char of text) {
    if (char === '"' && previous !== '\\') isQuoted = !isQuoted;
    previous = char;
    if (char === '\n') result += isQuoted ? '\\n' : '';
    else if (char === '\t' && isQuoted) result += '\\t';
    else result += char;
  }
  return result;
}

function failed(content: string): FunctionOutcome {
  return { succeeded: false, content };
}
