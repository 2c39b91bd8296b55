import type { OptionNames } from '@teamfuse/python-compat';
import type { Termination } from '../base/termination.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';

/** Options of all teams. */
export interface GroupChatOptions {
  /** @defaultValue the name of the class */
  readonly name?: string | undefined;
  /** Purpose of the team; the selecting model of an outer team reads it. @defaultValue 'A team of agents.' */
  readonly description?: string | undefined;
  /** When to stop. @defaultValue null: after `maxTurns`, or never */
  readonly terminationCondition?: Termination | null | undefined;
  /** Limit for the turns of one run, at least 1; a run of an inner team is one turn. @defaultValue null: no limit */
  readonly maxTurns?: number | null | undefined;
  /** Message classes to register besides the built-in ones and those the agents declare. @defaultValue [] */
  readonly customMessageTypes?: readonly ChatItemClass[] | undefined;
  /** Whether the stream contains a {@link SelectSpeakerEvent} before every turn. @defaultValue false */
  readonly emitTeamEvents?: boolean | undefined;
}

/** The names of {@link GroupChatOptions}. */
export const groupChatOptionNames: OptionNames<GroupChatOptions> = {
  name: true,
  description: true,
  terminationCondition: true,
  maxTurns: true,
  customMessageTypes: true,
  emitTeamEvents: true,
};
