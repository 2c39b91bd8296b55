import { repr } from '@teamfuse/python-compat';
import { z } from 'zod';
import type { ChatAgent } from '../base/chat-agent.ts';
import { AssertionError, ValueError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import { type ComponentModel, componentModel } from '../component/component-model.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import { HandoffMessage } from '../messages/chat/handoff-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { checkAgents } from './agents-only.ts';
import { BaseGroupChat } from './base-group-chat.ts';
import { GroupChatManager, type ManagerSetup } from './group-chat-manager.ts';
import type { GroupChatOptions } from './group-chat-options.ts';
import { dumpTeam, loadAgents, teamConfigShape, teamOptions } from './team-config.ts';

const PROVIDER = 'autogen_agentchat.teams.Swarm';
const configSchema = z.object(teamConfigShape);

/**
 * A team whose participants choose the next speaker with {@link HandoffMessage}s.
 *
 * The first participant begins. The target of the latest handoff speaks until the next handoff.
 *
 * @example
 * ```ts
 * const team = new Swarm([planner, researcher], { terminationCondition: new HandoffTermination('user') });
 * ```
 */
export class Swarm extends BaseGroupChat {
  static readonly component: ComponentClass<Swarm> = {
    provider: PROVIDER,
    load(data, loader) {
      const config = validate(configSchema, data, 'SwarmConfig');
      return new Swarm(loadAgents(config.participants, loader), teamOptions(config, loader));
    },
  };

  constructor(participants: readonly ChatAgent[], options: GroupChatOptions = {}) {
    checkAgents(participants);
    super({ label: 'Swarm', managerName: 'SwarmGroupChatManager' }, participants, options);
    if (!participants[0]?.producedMessageTypes.includes(HandoffMessage)) {
      throw new ValueError('The first participant must be able to produce a handoff messages.');
    }
  }

  dumpComponent(): ComponentModel {
    return componentModel({ provider: PROVIDER, componentType: 'team' }, dumpTeam(this));
  }

  protected createManager(setup: ManagerSetup): GroupChatManager {
    return new SwarmManager(setup);
  }
}

const stateJson = z.object({ current_speaker: z.string() });

class SwarmManager extends GroupChatManager {
  #current = this.#first;

  override async reset(): Promise<void> {
    await super.reset();
    this.#current = this.#first;
  }

  override async saveState(): Promise<JsonObject> {
    const common = await super.saveState();
    return { type: 'SwarmManagerState', ...common, current_speaker: this.#current };
  }

  override async loadState(state: JsonObject): Promise<void> {
    const { current_speaker } = validate(stateJson, state, 'SwarmManagerState');
    await super.loadState(state);
    this.#current = current_speaker;
  }

  protected selectSpeakers(): readonly string[] {
    this.#current = lastHandoff(this.thread)?.target ?? this.#current;
    // Upstream asserts this without a text, so that callers see an empty message.
    if (!this.participantNames.includes(this.#current)) throw new AssertionError();
    return [this.#current];
  }

  protected override checkStart(messages: readonly BaseChatMessage[] | null): void {
    const names = this.participantNames;
    const given = messages?.find((message) => message instanceof HandoffMessage);
    if (given !== undefined) {
      if (names.includes(given.target)) return;
      throw new ValueError(
        `The target ${given.target} is not one of the participants ${repr(names)}. ` +
          'If you are resuming Swarm with a new HandoffMessage make sure to set the target to a valid participant ' +
          'as the target.',
      );
    }
    const existing = lastHandoff(this.thread);
    if (existing !== undefined && !names.includes(existing.target)) {
      throw new ValueError(
        `The existing handoff target ${existing.target} is not one of the participants ${repr(names)}. ` +
          'If you are resuming Swarm with a new task make sure to include in your task a HandoffMessage with a valid ' +
          'participant as the target. For example, if you are resuming from a HandoffTermination, make sure the new ' +
          'task is a HandoffMessage with a valid participant as the target.',
      );
    }
  }

  get #first(): string {
    return this.participantNames[0] ?? '';
  }
}

function lastHandoff(thread: readonly ChatItem[]): HandoffMessage | undefined {
  return thread.findLast((message) => message instanceof HandoffMessage);
}
