import { tripIn } from '@teamfuse/adapter-kit';
import {
  type AdapterHarness,
  type MemberScript,
  MODEL,
  type RunEnd,
  type Stage,
  type TeamScript,
  toolsOf,
} from '@teamfuse/testing/adapters';
import { type AgentGuard, type GuardableAgent, guardAgent, tripOf } from '../../src/index.ts';
import type { Version } from './versions.ts';

/** How a turn is taken. */
export type Way = 'generate' | 'stream';

/** Crews of agents that take turns, for the contract. */
export function contractHarness(version: Version, way: Way): AdapterHarness {
  return {
    lacks: {
      code: 'code is run by a tool, or by the provider of the model',
      'before-code': 'code is run by a tool, or by the provider of the model',
      modelless: 'every agent has a model',
      person: 'a run ends where a person is asked, and goes on as another run',
    },
    build(script, stage) {
      const crew = new Crew(script, { stage, version, way, guards: [] });
      const { agents } = crew;
      return {
        parts: agents.flatMap((agent) => [agent, settingsOf(agent)]),
        guard(breaker, options) {
          const guard = guardAgent(agents, breaker, options);
          crew.setting.guards.push(guard);
          return guard;
        },
        run: (task, { signal }) => crew.run(task, signal),
        breakTap() {
          Object.assign(agents[0] ?? {}, { generate: async () => ({ text: 'unheard' }) });
          return 'generate';
        },
      };
    },
  };
}

interface Setting {
  readonly stage: Stage;
  readonly version: Version;
  readonly way: Way;
  readonly guards: AgentGuard[];
}

/** An agent, and the agents that work in its tools. */
interface Member {
  readonly name: string;
  readonly agent: GuardableAgent;
  readonly inner: readonly GuardableAgent[];
}

/** Agents that take turns. */
class Crew {
  readonly setting: Setting;
  readonly #script: TeamScript;
  readonly #members: readonly Member[];

  constructor(script: TeamScript, setting: Setting) {
    this.setting = setting;
    this.#script = script;
    this.#members = membersOf(script, setting);
  }

  /** All of them, those inside of tools included. */
  get agents(): readonly GuardableAgent[] {
    return this.#members.flatMap(({ agent, inner }) => [agent, ...inner]);
  }

  /** Takes all turns, in a run of each guard. */
  async run(task: string, signal: AbortSignal | undefined): Promise<RunEnd> {
    const texts = [task];
    let reason: string | undefined;
    const work = async (): Promise<void> => {
      for (let turn = 0; turn < this.#script.turns; turn++) {
        const { agent } = this.#members[turn % this.#members.length] as Member;
        const result = await this.#turn(agent, texts, signal);
        texts.push(result.text);
        reason = result.reason;
      }
    };
    const { name } = this.#script;
    const about = { name, task, signal };
    try {
      await this.setting.guards.reduce((inner, guard) => () => guard.run(inner, about), work)();
    } catch (error) {
      const trip = signal?.aborted ? undefined : tripIn(error);
      if (trip === undefined) throw error;
      reason = trip.reason;
    }
    return { texts, stopReason: reason };
  }

  async #turn(agent: GuardableAgent, texts: readonly string[], signal: AbortSignal | undefined) {
    const options = {
      messages: texts.map((content) => ({ role: 'user', content })),
      abortSignal: signal,
    };
    const result = await agent[this.setting.way](options);
    const text =
      'fullStream' in result ? await textOf(result.fullStream) : Reflect.get(result, 'text');
    return { text: String(text), reason: tripOf(result)?.reason };
  }
}

async function textOf(stream: unknown): Promise<string> {
  let text = '';
  for await (const part of stream as AsyncIterable<Record<string, unknown>>) {
    if (part.type === 'text-delta') text += part.text;
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new Error('aborted');
  }
  return text;
}

function membersOf({ members }: TeamScript, setting: Setting): readonly Member[] {
  const { version } = setting;
  const parts: Record<string, { model: object; tools: Record<string, object> }> = {};
  return members.map((member): Member => {
    const { name } = member;
    const crew = member.kind === 'team' ? new Crew(member, setting) : undefined;
    const sharing = member.kind === 'assistant' ? member.sharedWith : undefined;
    const own = parts[sharing ?? ''] ?? partsOf(member, crew, setting);
    parts[name] = own;
    return { name, agent: version.agent({ name, ...own }), inner: crew?.agents ?? [] };
  });
}

function partsOf(member: MemberScript, crew: Crew | undefined, { stage, version }: Setting) {
  const { name } = member;
  switch (member.kind) {
    case 'assistant':
      return {
        model: version.model(MODEL, ({ texts, signal, terms }) =>
          stage.model(name, texts, signal, terms),
        ),
        tools: Object.fromEntries(
          toolsOf(member).map((tool) => [
            tool,
            version.tool((_args, signal) => stage.tool(name, tool, signal)),
          ]),
        ),
      };
    case 'team': {
      // It calls its team, and adds nothing to what that says.
      let isAsked = false;
      const model = version.model('caller', () => {
        isAsked = !isAsked;
        return { text: '', calls: isAsked ? [{ id: `${name}-1`, tool: 'team', args: {} }] : [] };
      });
      const use = async (_args: object, signal: AbortSignal | undefined): Promise<string> => {
        const { texts } = (await crew?.run('Go on.', signal)) ?? { texts: [] };
        return texts.at(-1) ?? '';
      };
      return { model, tools: { team: version.tool(use) } };
    }
    default:
      return {
        model: version.model('speaker', async () => ({ text: await stage.speak(name) })),
        tools: {},
      };
  }
}

function settingsOf(agent: object): object {
  return Reflect.get(agent, 'settings') as object;
}
