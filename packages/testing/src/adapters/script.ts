/** What a model answers to one call. */
export interface ModelScript {
  /** The text of the answer; it ends the turn. */
  readonly says?: string;
  /** The tools that the answer asks for; the next call of the turn gets their results. */
  readonly calls?: readonly ToolScript[];
  /** @defaultValue 100 tokens in and 10 out */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  readonly error?: { readonly message: string; readonly code: string };
  readonly hangs?: Hang;
}

/** What a tool gives when it is called. */
export interface ToolScript {
  readonly tool: string;
  /** @defaultValue none */
  readonly args?: Readonly<Record<string, unknown>>;
  /** Whether the agent has no such tool. @defaultValue false */
  readonly isMissing?: boolean;
  /** @defaultValue 'done' */
  readonly result?: string;
  /** The message of the error that the tool throws instead. */
  readonly error?: string;
  readonly hangs?: Hang;
}

/** A piece of code, which the member before has said as a fenced block, and what comes of it. */
export interface CodeScript {
  readonly language: string;
  readonly code: string;
  /** @defaultValue 0 */
  readonly exitCode?: number;
  /** @defaultValue '' */
  readonly output?: string;
  readonly hangs?: Hang;
}

/** Work that does not end by itself: it ignores its signal, or rejects with the signal's reason once that aborts. */
export type Hang = 'for-good' | 'until-aborted';

/** Says one line in each turn, without a model. */
export interface SpeakerScript {
  readonly kind: 'speaker';
  readonly name: string;
  readonly lines: readonly string[];
}

/** Asks its model in each turn, and calls the tools that the model asks for, until the model says a text. */
export interface AssistantScript {
  readonly kind: 'assistant';
  readonly name: string;
  /** An assistant before it whose model and tools it uses, the very same objects. @defaultValue it has its own */
  readonly sharedWith?: string;
  readonly turns: readonly (readonly ModelScript[])[];
}

/** Runs the code that the member before has said, one piece in each turn. */
export interface CoderScript {
  readonly kind: 'coder';
  readonly name: string;
  readonly runs: readonly CodeScript[];
}

/** Asks a person in each turn, and says the answer. */
export interface PersonScript {
  readonly kind: 'person';
  readonly name: string;
  readonly answers: readonly string[];
}

/** Lets a team of its own work in its turn. */
export interface NestedScript extends TeamScript {
  readonly kind: 'team';
}

/** A member of a team, and everything that it will do. */
export type MemberScript =
  | SpeakerScript
  | AssistantScript
  | CoderScript
  | PersonScript
  | NestedScript;

/** A team whose members take turns in this order, again and again, `turns` of them in each run. */
export interface TeamScript {
  readonly name: string;
  readonly members: readonly MemberScript[];
  readonly turns: number;
}

/** The name of all scripted models. */
export const MODEL = 'scripted-model';

/** The names of all tools that an assistant's model may ask for, each once. */
export function toolsOf({ turns }: AssistantScript): readonly string[] {
  const calls = turns.flat().flatMap(({ calls = [] }) => calls);
  return [...new Set(calls.filter(({ isMissing }) => !isMissing).map(({ tool }) => tool))];
}

/** Code as a fenced block, which is how one member gives it to another. */
export function fenced({ language, code }: CodeScript): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
