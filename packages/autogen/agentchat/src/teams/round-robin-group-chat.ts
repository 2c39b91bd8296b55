import { z } from 'zod';
import type { JsonObject } from '../base/json.ts';
import type { Participant } from '../base/team.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import { type ComponentModel, componentModel } from '../component/component-model.ts';
import { BaseGroupChat } from './base-group-chat.ts';
import { GroupChatManager, type ManagerSetup } from './group-chat-manager.ts';
import type { GroupChatOptions } from './group-chat-options.ts';
import { dumpTeam, loadParticipants, teamConfigShape, teamOptions } from './team-config.ts';

const PROVIDER = 'autogen_agentchat.teams.RoundRobinGroupChat';
const configSchema = z.object(teamConfigShape);

/**
 * A team whose participants speak in turn, repeatedly.
 *
 * The next run continues with the participant after the last speaker.
 *
 * @example
 * ```ts
 * const team = new RoundRobinGroupChat([poet, critic], {
 *   terminationCondition: new TextMentionTermination('APPROVE', { sources: ['critic'] }),
 * });
 * const { messages, stopReason } = await team.run({ task: 'Write a short poem about autumn' });
 * ```
 */
export class RoundRobinGroupChat extends BaseGroupChat {
  static readonly component: ComponentClass<RoundRobinGroupChat> = {
    provider: PROVIDER,
    load(data, loader) {
      const config = validate(configSchema, data, 'RoundRobinGroupChatConfig');
      const participants = loadParticipants(config.participants, loader);
      return new RoundRobinGroupChat(participants, teamOptions(config, loader));
    },
  };

  constructor(participants: readonly Participant[], options: GroupChatOptions = {}) {
    const kind = { label: 'RoundRobinGroupChat', managerName: 'RoundRobinGroupChatManager' };
    super(kind, participants, options);
  }

  dumpComponent(): ComponentModel {
    return componentModel({ provider: PROVIDER, componentType: 'team' }, dumpTeam(this));
  }

  protected createManager(setup: ManagerSetup): GroupChatManager {
    return new RoundRobinManager(setup);
  }
}

const stateJson = z.object({ next_speaker_index: z.int().default(0) });

class RoundRobinManager extends GroupChatManager {
  #next = 0;

  override async reset(): Promise<void> {
    await super.reset();
    this.#next = 0;
  }

  override async saveState(): Promise<JsonObject> {
    const common = await super.saveState();
    return { type: 'RoundRobinManagerState', ...common, next_speaker_index: this.#next };
  }

  override async loadState(state: JsonObject): Promise<void> {
    const { next_speaker_index } = validate(stateJson, state, 'RoundRobinManagerState');
    await super.loadState(state);
    this.#next = next_speaker_index;
  }

  protected selectSpeakers(): readonly string[] {
    const names = this.participantNames;
    const name = names[this.#next % names.length];
    this.#next = (this.#next + 1) % names.length;
    return name === undefined ? [] : [name];
  }
}
