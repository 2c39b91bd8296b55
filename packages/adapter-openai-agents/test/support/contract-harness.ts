import type { Agent, AgentInputItem, Runner } from '@openai/agents-core';
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
import { type AgentGuard, guardRunner, tripOf } from '../../src/index.ts';
import { ScriptModel } from './scripted.ts';
import type { Sdk } from './versions.ts';

/** How a turn is taken. */
export type Way = 'run' | 'stream';

/** Crews of agents that take turns, for the contract. */
export function contractHarness(sdk: Sdk, way: Way): AdapterHarness {
  return {
    lacks: {
      code: 'code is run by a tool, or by the provider of the model',
      'before-code': 'code is run by a tool, or by the provider of the model',
      modelless: 'a runner always has a model to ask',
      person: 'a run ends where a person is asked, and goes on as another run',
      'tool-error': 'a tool that does not hide its errors ends the run with them',
      schema: 'a tool checks its arguments itself',
      'missing-tool': 'a call of a tool that there is not ends the run with an error',
    },
    build(script, stage) {
      const first = script.members.find(({ kind }) => kind === 'assistant');
      const asked = new ScriptModel(MODEL, ({ texts, signal, terms }) =>
        stage.model(first?.name ?? '', texts, signal, terms),
      );
      const runner = new sdk.Runner({
        modelProvider: { getModel: () => asked },
        tracingDisabled: true,
      });
      const crew = new Crew(script, { stage, sdk, way, runner, guards: [] });
      const { agents } = crew;
      const tools = agents.flatMap((agent) => agent.tools);
      return {
        parts: [runner, runner.config, sdk.Runner.prototype, ...agents, ...tools],
        guard(breaker, options) {
          const guard = guardRunner(runner, breaker, options);
          crew.setting.guards.push(guard);
          return guard;
        },
        run: (task, { signal }) => crew.run(task, signal),
        breakTap() {
          Object.assign(runner, { run: async () => ({ finalOutput: 'unheard' }) });
          return 'run';
        },
      };
    },
  };
}

interface Setting {
  readonly stage: Stage;
  readonly sdk: Sdk;
  readonly way: Way;
  readonly runner: Runner;
  readonly guards: AgentGuard[];
}

/** An agent, and the agents that work in its tools. */
interface Member {
  readonly agent: Agent;
  readonly inner: readonly Agent[];
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
  get agents(): readonly Agent[] {
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
        if (!result.text.startsWith('teamfuse: ')) texts.push(result.text);
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

  async #turn(agent: Agent, texts: readonly string[], signal: AbortSignal | undefined) {
    const { runner, way } = this.setting;
    const input = texts.map((content): AgentInputItem => ({ role: 'user', content }));
    const options = { maxTurns: 50, ...(signal && { signal }) };
    if (way === 'run') {
      const result = await runner.run(agent, input, options);
      return { text: String(result.finalOutput), reason: tripOf(result)?.reason };
    }
    const result = await runner.run(agent, input, { ...options, stream: true });
    let text = '';
    for await (const event of result) {
      if (event.type !== 'raw_model_stream_event') continue;
      if (event.data.type === 'output_text_delta') text += event.data.delta;
    }
    await result.completed;
    if (result.cancelled) throw signal?.reason ?? new Error('cancelled');
    return { text, reason: tripOf(result)?.reason };
  }
}

function membersOf({ members }: TeamScript, setting: Setting): readonly Member[] {
  const parts: Record<string, Pick<Agent, 'model' | 'tools'>> = {};
  return members.map((member): Member => {
    const { name } = member;
    const crew = member.kind === 'team' ? new Crew(member, setting) : undefined;
    const sharing = member.kind === 'assistant' ? member.sharedWith : undefined;
    const own = parts[sharing ?? ''] ?? partsOf(member, crew, setting);
    parts[name] = own;
    return { agent: new setting.sdk.Agent({ name, ...own }), inner: crew?.agents ?? [] };
  });
}

function partsOf(
  member: MemberScript,
  crew: Crew | undefined,
  { stage, sdk }: Setting,
): Pick<Agent, 'model' | 'tools'> {
  const { name } = member;
  const toolOf = (
    tool_: string,
    use: (signal: AbortSignal | undefined) => Promise<string>,
  ): Agent['tools'][number] =>
    sdk.tool({
      name: tool_,
      description: tool_,
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      strict: false,
      // The default hides the error from everyone.
      errorFunction: null,
      execute: (_args, _context, details) => use(details?.signal),
    });
  switch (member.kind) {
    case 'assistant':
      return {
        model: new ScriptModel(MODEL, ({ texts, signal, terms }) =>
          stage.model(name, texts, signal, terms),
        ),
        tools: toolsOf(member).map((one) => toolOf(one, (signal) => stage.tool(name, one, signal))),
      };
    case 'team': {
      // It calls its team, and adds nothing to what that says.
      let isAsked = false;
      const model = new ScriptModel('caller', () => {
        isAsked = !isAsked;
        return isAsked
          ? { text: '', calls: [{ id: `${name}-1`, tool: 'team', args: {} }] }
          : { text: 'back' };
      });
      const use = async (signal: AbortSignal | undefined): Promise<string> => {
        const { texts } = (await crew?.run('Go on.', signal)) ?? { texts: [] };
        return texts.at(-1) ?? '';
      };
      return { model, tools: [toolOf('team', use)] };
    }
    default:
      return {
        model: new ScriptModel('speaker', async () => ({ text: await stage.speak(name) })),
        tools: [],
      };
  }
}
