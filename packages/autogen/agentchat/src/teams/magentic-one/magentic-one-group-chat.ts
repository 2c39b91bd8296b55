import type { ChatCompletionClient } from '@teamfuse/models';
import { z } from 'zod';
import type { ChatAgent } from '../../base/chat-agent.ts';
import { formatTemplate } from '../../base/format-template.ts';
import { integerOption, knownOptions } from '../../base/options.ts';
import { validate } from '../../base/validate.ts';
import type { ComponentClass } from '../../component/component-loader.ts';
import {
  type ComponentModel,
  componentJson,
  componentModel,
} from '../../component/component-model.ts';
import { dumpOf } from '../../component/dump-of.ts';
import { A_MODEL_CLIENT } from '../../component/shapes.ts';
import { checkAgents } from '../agents-only.ts';
import { BaseGroupChat } from '../base-group-chat.ts';
import type { GroupChatManager, ManagerSetup } from '../group-chat-manager.ts';
import { dumpTeam, loadAgents, teamConfigShape, teamOptions } from '../team-config.ts';
import {
  type MagenticOneGroupChatOptions,
  type MagenticOneParts,
  magenticOneOptionNames,
} from './options.ts';
import { MagenticOneOrchestrator } from './orchestrator.ts';
import { DEFAULT_FINAL_ANSWER_PROMPT } from './prompts.ts';

const PROVIDER = 'autogen_agentchat.teams.MagenticOneGroupChat';
const configSchema = z.object({
  ...teamConfigShape,
  model_client: componentJson,
  max_stalls: z.int(),
  final_answer_prompt: z.string(),
});

/**
 * A team led by a model that makes a plan, checks the progress, and replans when the team is stuck.
 *
 * Every run needs a task, and resets the participants first.
 *
 * @example
 * ```ts
 * const team = new MagenticOneGroupChat([surfer, coder], {
 *   modelClient: planningClient,
 *   maxTurns: 10,
 * });
 * const { stopReason } = await team.run({ task: 'Find the tallest building of 1930' });
 * ```
 */
export class MagenticOneGroupChat extends BaseGroupChat implements MagenticOneParts {
  static readonly component: ComponentClass<MagenticOneGroupChat> = {
    provider: PROVIDER,
    load(data, loader) {
      const config = validate(configSchema, data, 'MagenticOneGroupChatConfig');
      return new MagenticOneGroupChat(loadAgents(config.participants, loader), {
        ...teamOptions(config, loader),
        maxTurns: config.max_turns ?? null,
        modelClient: loader.load(config.model_client, A_MODEL_CLIENT),
        maxStalls: config.max_stalls,
        finalAnswerPrompt: config.final_answer_prompt,
      });
    },
  };
  /** The orchestrator's model. Writable, so that a guard can replace it. */
  modelClient: ChatCompletionClient;
  readonly maxStalls: number;
  readonly finalAnswerPrompt: string;

  constructor(participants: readonly ChatAgent[], given: MagenticOneGroupChatOptions) {
    const {
      modelClient,
      maxTurns = 20,
      maxStalls = 3,
      finalAnswerPrompt = DEFAULT_FINAL_ANSWER_PROMPT,
      ...options
    } = knownOptions('MagenticOneGroupChat', given, magenticOneOptionNames);
    checkAgents(participants);
    const kind = { label: 'MagenticOneGroupChat', managerName: 'MagenticOneOrchestrator' };
    super(kind, participants, { ...options, maxTurns });
    this.modelClient = modelClient;
    this.maxStalls = integerOption('maxStalls', maxStalls);
    this.finalAnswerPrompt = finalAnswerPrompt;
  }

  /** A custom prompt is used unchanged; only the default prompt has a field for the task. */
  finalAnswerText(task: string): string {
    if (this.finalAnswerPrompt !== DEFAULT_FINAL_ANSWER_PROMPT) return this.finalAnswerPrompt;
    return formatTemplate(this.finalAnswerPrompt, { task });
  }

  dumpComponent(): ComponentModel {
    return componentModel(
      { provider: PROVIDER, componentType: 'team' },
      {
        ...dumpTeam(this),
        model_client: dumpOf(this.modelClient),
        max_stalls: this.maxStalls,
        final_answer_prompt: this.finalAnswerPrompt,
      },
    );
  }

  protected createManager(setup: ManagerSetup): GroupChatManager {
    return new MagenticOneOrchestrator(setup, this);
  }
}
