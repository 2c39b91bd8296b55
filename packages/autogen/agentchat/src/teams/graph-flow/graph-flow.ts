import type { OptionNames } from '@teamfuse/python-compat';
import { z } from 'zod';
import type { ChatAgent } from '../../base/chat-agent.ts';
import { invalidOption, knownOptions } from '../../base/options.ts';
import { validate } from '../../base/validate.ts';
import type { ComponentClass } from '../../component/component-loader.ts';
import { type ComponentModel, componentModel } from '../../component/component-model.ts';
import { checkAgents } from '../agents-only.ts';
import { BaseGroupChat } from '../base-group-chat.ts';
import type { GroupChatManager, ManagerSetup } from '../group-chat-manager.ts';
import { type GroupChatOptions, groupChatOptionNames } from '../group-chat-options.ts';
import { dumpTeam, loadAgents, teamConfigShape, teamOptions } from '../team-config.ts';
import type { DiGraph } from './di-graph.ts';
import { GraphFlowManager } from './graph-flow-manager.ts';
import { diGraphJson, diGraphToJson } from './graph-json.ts';

/** Options of {@link GraphFlow}. */
export interface GraphFlowOptions extends Omit<GroupChatOptions, 'emitTeamEvents'> {
  /** The order of speakers; {@link DiGraphBuilder} makes one. */
  readonly graph: DiGraph;
  /**
   * Whether the condition judges all answers of a turn, and also the last turn.
   *
   * As in AutoGen, the default judges only the branch that ends last, and never the last node.
   * @defaultValue false
   */
  readonly judgesAllBranches?: boolean | undefined;
}

/** The names of {@link GraphFlowOptions}. */
const optionNames: OptionNames<GraphFlowOptions> = {
  ...groupChatOptionNames,
  graph: true,
  judgesAllBranches: true,
};

const PROVIDER = 'autogen_agentchat.teams.GraphFlow';
const configSchema = z.object({ ...teamConfigShape, graph: diGraphJson });

/**
 * A team that follows a graph: all nodes that are ready speak at the same time.
 *
 * A run ends when no node is ready, and the next run starts over. After any other stop the next run continues.
 *
 * @example
 * ```ts
 * const builder = new DiGraphBuilder().addNode(writer).addNode(editor).addEdge(writer, editor);
 * const team = new GraphFlow(builder.participants, { graph: builder.build() });
 * const { stopReason } = await team.run({ task: 'Write a poem' }); // => 'Digraph execution is complete'
 * ```
 */
export class GraphFlow extends BaseGroupChat {
  static readonly component: ComponentClass<GraphFlow> = {
    provider: PROVIDER,
    load(data, loader) {
      const config = validate(configSchema, data, 'GraphFlowConfig');
      const { emitTeamEvents, ...options } = teamOptions(config, loader);
      const participants = loadAgents(config.participants, loader);
      return new GraphFlow(participants, { ...options, graph: config.graph });
    },
  };
  readonly graph: DiGraph;
  readonly #judgesAllBranches: boolean;

  constructor(participants: readonly ChatAgent[], given: GraphFlowOptions) {
    const {
      graph,
      judgesAllBranches = false,
      ...options
    } = knownOptions('GraphFlow', given, optionNames);
    const kind = {
      label: 'GraphFlow',
      managerName: 'GraphManager',
      defaultDescription: 'A team of agents',
    };
    checkAgents(participants);
    if (!(Object(graph).nodes instanceof Map)) {
      throw invalidOption('graph', 'a graph, as build() of a DiGraphBuilder gives it', graph);
    }
    super(kind, participants, options);
    this.graph = graph;
    this.#judgesAllBranches = judgesAllBranches;
  }

  dumpComponent(): ComponentModel {
    const { emit_team_events, ...config } = dumpTeam(this);
    return componentModel(
      { provider: PROVIDER, componentType: 'team' },
      { ...config, graph: diGraphToJson(this.graph) },
    );
  }

  protected createManager(setup: ManagerSetup): GroupChatManager {
    return new GraphFlowManager(setup, this.graph, this.#judgesAllBranches);
  }
}
