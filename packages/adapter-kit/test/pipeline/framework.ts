/** An invented framework: parcels travel down a line of workers, and tokens go to whoever watches. */

export interface Parcel {
  readonly from: string;
  readonly text: string;
}

export interface Want {
  readonly tool: string;
  readonly args: object;
}

/** A piece of an answer: some text, a tool that the engine wants, or what the answer took. */
export type Token =
  | { readonly text: string }
  | { readonly want: Want }
  | { readonly took: readonly [read: number, written: number] };

export interface Engine {
  readonly id: string;
  stream(prompt: readonly Parcel[], signal?: AbortSignal): AsyncIterable<Token>;
}

export type Tools = Record<string, (args: object, signal?: AbortSignal) => Promise<string>>;

/** Events in the order in which they came, for one reader, who waits for the next. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #events: T[] = [];
  #wake = (): void => undefined;
  #isClosed = false;

  push(event: T): void {
    this.#events.push(event);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) yield event;
      else if (this.#isClosed) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}

/** What a worker gets: the parcels so far, where its tokens go, and the signal that ends the run. */
export interface Job {
  readonly parcels: readonly Parcel[];
  readonly tokens: EventQueue<Token>;
  readonly signal?: AbortSignal | undefined;
}

export interface Worker {
  readonly name: string;
  handle(job: Job): Promise<string>;
}

export class Thinker implements Worker {
  constructor(
    readonly name: string,
    readonly engine: Engine,
    readonly tools: Tools,
  ) {}

  async handle({ parcels, tokens, signal }: Job): Promise<string> {
    const prompt = [...parcels];
    for (;;) {
      let text = '';
      const wants: Want[] = [];
      for await (const token of this.engine.stream(prompt, signal)) {
        tokens.push(token);
        if ('text' in token) text += token.text;
        else if ('want' in token) wants.push(token.want);
      }
      if (wants.length === 0) return text;
      for (const { tool, args } of wants) {
        const result = await this.tools[tool]?.(args, signal).catch(
          (error: Error) => error.message,
        );
        prompt.push({ from: tool, text: result ?? 'there is no such tool' });
      }
    }
  }
}

export class Runner implements Worker {
  constructor(
    readonly name: string,
    readonly execute: (
      language: string,
      code: string,
      signal?: AbortSignal,
    ) => Promise<{ exit: number; printed: string }>,
    readonly approve: () => Promise<void>,
  ) {}

  async handle({ parcels, signal }: Job): Promise<string> {
    const [, language = '', code = ''] =
      /```(\w+)\n([^]*?)\n```/.exec(parcels.at(-1)?.text ?? '') ?? [];
    await this.approve();
    return (await this.execute(language, code, signal)).printed;
  }
}

export class Clerk implements Worker {
  constructor(
    readonly name: string,
    readonly ask: (signal?: AbortSignal) => Promise<string>,
  ) {}

  handle = ({ signal }: Job): Promise<string> => this.ask(signal);
}

/** A line of workers. Each parcel that arrives goes to the next of them; a pipeline may be a worker of another. */
export class Pipeline implements Worker {
  constructor(
    readonly name: string,
    readonly workers: readonly Worker[],
    readonly hops: number,
  ) {}

  async run(task: string, tokens = new EventQueue<Token>(), signal?: AbortSignal) {
    const parcels: Parcel[] = [];
    const line = new EventQueue<Parcel>();
    line.push({ from: 'sender', text: task });
    for await (const parcel of line) {
      parcels.push(parcel);
      const worker = this.workers[(parcels.length - 1) % this.workers.length];
      if (parcels.length > this.hops || !worker) line.close();
      else line.push({ from: worker.name, text: await worker.handle({ parcels, tokens, signal }) });
    }
    return { parcels: parcels as readonly Parcel[], outcome: 'delivered' };
  }

  async handle({ parcels, tokens, signal }: Job): Promise<string> {
    const inner = await this.run(parcels.at(-1)?.text ?? '', tokens, signal);
    return inner.parcels.at(-1)?.text ?? '';
  }
}
