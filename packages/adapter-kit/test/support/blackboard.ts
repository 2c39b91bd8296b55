/** An invented framework: experts take turns at a blackboard until they have made so many notes. */
export interface Note {
  readonly by: string;
  readonly text: string;
}

export interface Answer {
  readonly text: string;
  readonly wanted: readonly {
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
  }[];
  readonly tokens: { readonly inputTokens: number; readonly outputTokens: number };
}

export interface Oracle {
  readonly model: string;
  ask(prompts: readonly string[], signal?: AbortSignal): Promise<Answer>;
}

export type Instrument = (
  args: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<string>;

export type Shell = (
  program: { readonly language: string; readonly code: string },
  signal?: AbortSignal,
) => Promise<{ readonly exitCode: number; readonly output: string }>;

/** What an expert knows to do; the first that is there is how it contributes. */
export interface Skills {
  /** Solves the latest note at a board of its own. */
  readonly board?: Blackboard;
  /** Runs the program in the latest note. */
  readonly shell?: Shell;
  readonly oracle?: Oracle;
  readonly instruments?: Record<string, Instrument>;
  /** Asks a person, or simply knows. */
  readonly ask?: (signal?: AbortSignal) => Promise<string>;
  readonly know?: (signal?: AbortSignal) => Promise<string>;
  /** Is called before each program. */
  readonly approve?: () => Promise<void>;
}

const PROGRAM = /```(\w+)\n([\s\S]*?)\n```/;

export class Expert {
  readonly name: string;
  readonly skills: Skills;

  constructor(name: string, skills: Skills) {
    this.name = name;
    this.skills = skills;
  }

  async contribute(notes: readonly Note[], signal?: AbortSignal): Promise<string> {
    const { board, shell, oracle, instruments = {}, ask, know, approve } = this.skills;
    const latest = notes.at(-1)?.text ?? '';
    if (board) return (await board.solve(latest, { signal })).notes.at(-1)?.text ?? '';
    if (shell) {
      const [, language = '', code = ''] = PROGRAM.exec(latest) ?? [];
      await approve?.();
      return (await shell({ language, code }, signal)).output;
    }
    const prompts = notes.map(({ by, text }) => `${by}: ${text}`);
    while (oracle) {
      const { text, wanted } = await oracle.ask(prompts, signal);
      if (wanted.length === 0) return text;
      for (const { tool, args } of wanted) {
        const given = instruments[tool]?.(args, signal).catch((error) => `failed: ${error}`);
        prompts.push(`${tool}: ${await given}`);
      }
    }
    return (await (ask ?? know)?.(signal)) ?? '';
  }
}

export class Blackboard {
  readonly name: string;
  readonly experts: readonly Expert[];
  readonly #maxNotes: number;

  constructor(name: string, experts: readonly Expert[], maxNotes: number) {
    this.name = name;
    this.experts = experts;
    this.#maxNotes = maxNotes;
  }

  async solve(
    task: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<{ readonly notes: readonly Note[]; readonly outcome: string }> {
    const notes: Note[] = [{ by: 'user', text: task }];
    for (let made = 0; made < this.#maxNotes; made++) {
      signal?.throwIfAborted();
      const expert = this.experts[made % this.experts.length] as Expert;
      notes.push({ by: expert.name, text: await expert.contribute(notes, signal) });
    }
    return { notes, outcome: 'solved' };
  }
}
