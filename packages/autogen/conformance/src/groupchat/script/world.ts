import type {
  ConversableAgent,
  GroupChat,
  GroupChatManager,
  IOStream,
  ReplyFunction,
  ResumedChat,
  ToolFunction,
} from '@teamfuse/groupchat';
import type { ToolItem, Vector } from '../vector.ts';
import { Recorder } from './recorder.ts';
import { ExactSource, ScriptSource } from './script-source.ts';
import { ScriptedModels } from './scripted-models.ts';
import { scriptedTool } from './scripted-tool.ts';

/** Everything one case is played with. */
export class World {
  readonly vector: Vector;
  readonly recorder: Recorder;
  readonly human: ExactSource<string>;
  readonly random: ExactSource<string>;
  readonly models: ScriptedModels;
  readonly agents: Map<string, ConversableAgent> = new Map();
  readonly groups: Map<string, GroupChat> = new Map();
  readonly resumed: Map<string, ResumedChat> = new Map();
  /** Clean-up of what real programs leave behind. */
  readonly closers: (() => Promise<void>)[] = [];
  /** Work directories, which stand as `<WORKDIR>` in expectations. */
  readonly workDirs: string[] = [];
  readonly io: IOStream;
  readonly #functions = new Map<string, ReplyFunction[]>();
  readonly #tools = new Map<string, ScriptSource<ToolItem>>();

  constructor(vector: Vector) {
    this.vector = vector;
    this.recorder = new Recorder(vector);
    this.human = new ExactSource('human', vector.human);
    this.random = new ExactSource('random', vector.random);
    this.models = new ScriptedModels(vector);
    this.io = { print() {}, warn() {}, input: async () => this.human.next() };
  }

  agent(name: string | undefined): ConversableAgent {
    const agent = this.agents.get(name ?? '');
    if (!agent) throw new TypeError(`the case knows no agent ${name}`);
    return agent;
  }

  group(name: string | undefined): GroupChat {
    const group = this.groups.get(name ?? '');
    if (!group) throw new TypeError(`the case knows no group ${name}`);
    return group;
  }

  manager(name: string | undefined): GroupChatManager {
    return this.agent(name) as GroupChatManager;
  }

  /** Takes an agent in and listens to it. */
  add(agent: ConversableAgent): void {
    this.agents.set(agent.name, agent);
    agent.taps.add(this.recorder);
  }

  /** Notes a scripted reply function, so that it can be named later. */
  noteFunction(agent: string, name: string, replyFunc: ReplyFunction): void {
    const key = `${agent}/${name}`;
    this.#functions.set(key, [...(this.#functions.get(key) ?? []), replyFunc]);
  }

  /** The scripted reply functions of an agent under a name. */
  functions(agent: string, name: string): readonly ReplyFunction[] {
    return this.#functions.get(`${agent}/${name}`) ?? [];
  }

  /** The body of a tool, as one agent runs it. */
  tool(agent: string, name: string): ToolFunction {
    const spec = this.vector.tools?.[name] ?? {};
    const source = this.#tools.get(name) ?? new ScriptSource<ToolItem>(spec.script, spec.then);
    this.#tools.set(name, source);
    return scriptedTool(agent, name, spec, source, this.recorder);
  }
}
