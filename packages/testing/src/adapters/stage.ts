import type {
  CodeScript,
  Hang,
  MemberScript,
  ModelScript,
  TeamScript,
  ToolScript,
} from './script.ts';

/** What a scripted model gives. */
export interface ModelReply {
  /** Empty if the model asks for tools. */
  readonly text: string;
  readonly calls: readonly {
    readonly id: string;
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
  }[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** What scripted code gives. */
export interface CodeReply {
  readonly exitCode: number;
  readonly output: string;
}

/** What a model is asked with beside its prompt. */
export interface ModelTerms {
  /** How many tools it may ask for. */
  readonly tools: number;
  readonly maxTokens: number | undefined;
}

const USAGE = { inputTokens: 100, outputTokens: 10 };

/**
 * The world that a scripted team works in. The models, tools, programs and people of a harness do nothing but ask it.
 *
 * It writes down what begins, keeps the signals that arrive, and can hold work up.
 */
export class Stage {
  /** Everything that has begun, in order: `speaker ann`, `model bob`, `tool bob look`, `code cy`, `person dora`. */
  readonly journal: string[] = [];
  /** The texts of the prompts, one list for each model call. */
  readonly prompts: (readonly string[])[] = [];
  /** What each model call was made with, as far as the harness says so. */
  readonly terms: (ModelTerms | undefined)[] = [];
  /** The signals that work was given, by its entry in the journal. */
  readonly signals: Map<string, AbortSignal | undefined> = new Map();
  readonly #lines: Map<string, string[]> = new Map();
  readonly #models: Map<string, ModelScript[]> = new Map();
  readonly #tools: Map<string, ToolScript[]> = new Map();
  readonly #runs: Map<string, CodeScript[]> = new Map();
  readonly #answering: Map<string, (prompt: readonly string[]) => ModelScript> = new Map();
  readonly #cues: Map<string, () => unknown> = new Map();
  readonly #waiting: Map<string, () => void> = new Map();
  #lastCall = 0;

  constructor(script: TeamScript) {
    for (const member of script.members) this.#enter(member);
  }

  /** Calls `action` when this begins, and goes on once it has returned or resolved. */
  on(entry: string, action: () => unknown): void {
    this.#cues.set(entry, action);
  }

  /** Lets the model of an agent answer by its prompt, and not by its script. */
  answer(agent: string, by: (prompt: readonly string[]) => ModelScript): void {
    this.#answering.set(agent, by);
  }

  /** Resolves when this begins. */
  begun(entry: string): Promise<void> {
    if (this.journal.includes(entry)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(entry, resolve));
  }

  /** The next line of a speaker. */
  async speak(agent: string): Promise<string> {
    await this.#begin(`speaker ${agent}`, undefined);
    return next(this.#lines, agent);
  }

  /** The next answer of a person. */
  async person(agent: string, signal?: AbortSignal): Promise<string> {
    await this.#begin(`person ${agent}`, signal);
    return next(this.#lines, agent);
  }

  /** The next answer of an agent's model. */
  async model(
    agent: string,
    prompt: readonly string[],
    signal?: AbortSignal | undefined,
    terms?: ModelTerms,
  ): Promise<ModelReply> {
    const by = this.#answering.get(agent);
    const script = by === undefined ? next(this.#models, agent) : by(prompt);
    const { says = '', calls = [], usage = USAGE, error, hangs } = script;
    this.prompts.push([...prompt]);
    this.terms.push(terms);
    await this.#begin(`model ${agent}`, signal, hangs);
    if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
    for (const call of calls) this.#script(this.#tools, `${agent} ${call.tool}`, [call]);
    return {
      text: says,
      calls: calls.map(({ tool, args = {} }) => ({ id: `call-${++this.#lastCall}`, tool, args })),
      usage,
    };
  }

  /** The result of a tool that an agent's model has asked for. */
  async tool(agent: string, tool: string, signal?: AbortSignal | undefined): Promise<string> {
    const { result = 'done', error, hangs } = next(this.#tools, `${agent} ${tool}`);
    await this.#begin(`tool ${agent} ${tool}`, signal, hangs);
    if (error !== undefined) throw new Error(error);
    return result;
  }

  /** Comes before the code of a coder's turn, in frameworks that let anything happen in between. */
  async beforeCode(agent: string): Promise<void> {
    await this.#begin(`before code ${agent}`, undefined);
  }

  /** The result of the code that a coder runs. */
  async code(agent: string, signal?: AbortSignal | undefined): Promise<CodeReply> {
    const { exitCode = 0, output = '', hangs } = next(this.#runs, agent);
    await this.#begin(`code ${agent}`, signal, hangs);
    return { exitCode, output };
  }

  async #begin(entry: string, signal: AbortSignal | undefined, hangs?: Hang): Promise<void> {
    this.journal.push(entry);
    this.signals.set(entry, signal);
    this.#waiting.get(entry)?.();
    await this.#cues.get(entry)?.();
    if (hangs === undefined) return;
    await new Promise((_, reject) => {
      if (hangs === 'until-aborted') onAbort(signal, reject);
    });
  }

  #enter(member: MemberScript): void {
    const { name } = member;
    switch (member.kind) {
      case 'speaker':
        this.#script(this.#lines, name, member.lines);
        break;
      case 'person':
        this.#script(this.#lines, name, member.answers);
        break;
      case 'assistant':
        // A model that is shared does not know who asks it.
        this.#script(this.#models, member.sharedWith ?? name, member.turns.flat());
        break;
      case 'coder':
        this.#script(this.#runs, name, member.runs);
        break;
      case 'team':
        for (const inner of member.members) this.#enter(inner);
    }
  }

  #script<T>(scripts: Map<string, T[]>, key: string, more: readonly T[]): void {
    scripts.set(key, [...(scripts.get(key) ?? []), ...more]);
  }
}

function next<T>(scripts: Map<string, T[]>, key: string): T {
  const script = scripts.get(key)?.shift();
  if (script === undefined) throw new Error(`nothing more is scripted for '${key}'`);
  return script;
}

function onAbort(signal: AbortSignal | undefined, reject: (reason: unknown) => void): void {
  if (signal?.aborted) reject(signal.reason);
  signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
}
