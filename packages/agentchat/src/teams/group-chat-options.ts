import type { Termination } from '../base/termination.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';

/** Options all teams have. */
export interface GroupChatOptions {
  /** @defaultValue the name of the class */
  readonly name?: string | undefined;
  /** What the team is good for; the selecting model of an outer team reads it. @defaultValue 'A team of agents.' */
  readonly description?: string | undefined;
  /** When to stop. @defaultValue null: after `maxTurns`, or never */
  readonly terminationCondition?: Termination | null | undefined;
  /** Most turns of one run, at least 1; a turn of an inner team is one turn. @defaultValue null: no limit */
  readonly maxTurns?: number | null | undefined;
  /** Message classes the team is to know besides the built-in ones and those its agents declare. @defaultValue [] */
  readonly customMessageTypes?: readonly ChatItemClass[] | undefined;
  /** Whether the stream tells who was chosen to speak. @defaultValue false */
  readonly emitTeamEvents?: boolean | undefined;
}
