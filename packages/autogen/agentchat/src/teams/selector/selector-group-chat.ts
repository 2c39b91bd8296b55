import type { ChatCompletionClient } from '@teamfuse/models';
import { z } from 'zod';
import { ValueError } from '../../base/errors.ts';
import { knownOptions } from '../../base/options.ts';
import type { Participant } from '../../base/team.ts';
import { validate } from '../../base/validate.ts';
import type { ComponentClass } from '../../component/component-loader.ts';
import {
  type ComponentModel,
  componentJson,
  componentModel,
} from '../../component/component-model.ts';
import { dumpOf } from '../../component/dump-of.ts';
import { A_MODEL_CLIENT } from '../../component/shapes.ts';
import { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import { UnboundedChatCompletionContext } from '../../model-context/unbounded-context.ts';
import { BaseGroupChat } from '../base-group-chat.ts';
import type { GroupChatManager, ManagerSetup } from '../group-chat-manager.ts';
import { dumpTeam, loadTypedParticipants, teamConfigShape, teamOptions } from '../team-config.ts';
import {
  type CandidateFunction,
  type SelectorFunction,
  type SelectorGroupChatOptions,
  type SelectorParts,
  selectorOptionNames,
} from './options.ts';
import { DEFAULT_SELECTOR_PROMPT } from './prompt.ts';
import { SelectorManager } from './selector-manager.ts';

const PROVIDER = 'autogen_agentchat.teams.SelectorGroupChat';
const configSchema = z.object({
  ...teamConfigShape,
  model_client: componentJson,
  selector_prompt: z.string(),
  allow_repeated_speaker: z.boolean(),
  max_selector_attempts: z.int().default(3),
  model_client_streaming: z.boolean().default(false),
  model_context: componentJson.nullable().optional(),
});

/**
 * A team where a model or a function chooses the next speaker.
 *
 * No message reports the usage of the choosing model; measure it at the model client.
 *
 * @example
 * ```ts
 * const team = new SelectorGroupChat([planner, researcher, writer], {
 *   modelClient,
 *   terminationCondition: new TextMentionTermination('DONE'),
 * });
 * ```
 */
export class SelectorGroupChat extends BaseGroupChat implements SelectorParts {
  static readonly component: ComponentClass<SelectorGroupChat> = {
    provider: PROVIDER,
    load(data, loader) {
      const config = validate(configSchema, data, 'SelectorGroupChatConfig');
      return new SelectorGroupChat(loadTypedParticipants(config.participants, loader), {
        ...teamOptions(config, loader),
        modelClient: loader.load(config.model_client, A_MODEL_CLIENT),
        selectorPrompt: config.selector_prompt,
        allowRepeatedSpeaker: config.allow_repeated_speaker,
        maxSelectorAttempts: config.max_selector_attempts,
        modelClientStreaming: config.model_client_streaming,
        modelContext: config.model_context
          ? loader.load(config.model_context, ChatCompletionContext)
          : undefined,
      });
    },
  };
  /** The model that chooses. Writable, so that a guard can replace it. */
  modelClient: ChatCompletionClient;
  readonly selectorPrompt: string;
  readonly allowRepeatedSpeaker: boolean;
  readonly maxSelectorAttempts: number;
  readonly selectorFunc: SelectorFunction | null;
  readonly candidateFunc: CandidateFunction | null;
  readonly modelClientStreaming: boolean;
  readonly modelContext: ChatCompletionContext;
  /** A default context is not dumped. */
  readonly #hasOwnContext: boolean;

  constructor(participants: readonly Participant[], given: SelectorGroupChatOptions) {
    const {
      modelClient,
      selectorPrompt = DEFAULT_SELECTOR_PROMPT,
      allowRepeatedSpeaker = false,
      maxSelectorAttempts = 3,
      selectorFunc = null,
      candidateFunc = null,
      modelClientStreaming = false,
      modelContext,
      ...options
    } = knownOptions('SelectorGroupChat', given, selectorOptionNames);
    const kind = { label: 'SelectorGroupChat', managerName: 'SelectorGroupChatManager' };
    super(kind, participants, options);
    if (participants.length < 2) {
      throw new ValueError('At least two participants are required for SelectorGroupChat.');
    }
    this.modelClient = modelClient;
    this.selectorPrompt = selectorPrompt;
    this.allowRepeatedSpeaker = allowRepeatedSpeaker;
    this.maxSelectorAttempts = maxSelectorAttempts;
    this.selectorFunc = selectorFunc;
    this.candidateFunc = candidateFunc;
    this.modelClientStreaming = modelClientStreaming;
    this.modelContext = modelContext ?? new UnboundedChatCompletionContext();
    this.#hasOwnContext = modelContext !== undefined;
  }

  dumpComponent(): ComponentModel {
    return componentModel(
      { provider: PROVIDER, componentType: 'team' },
      {
        ...dumpTeam(this),
        model_client: dumpOf(this.modelClient),
        selector_prompt: this.selectorPrompt,
        allow_repeated_speaker: this.allowRepeatedSpeaker,
        max_selector_attempts: this.maxSelectorAttempts,
        model_client_streaming: this.modelClientStreaming,
        model_context: this.#hasOwnContext ? this.modelContext.dumpComponent() : null,
      },
    );
  }

  protected createManager(setup: ManagerSetup): GroupChatManager {
    return new SelectorManager(setup, this);
  }
}
