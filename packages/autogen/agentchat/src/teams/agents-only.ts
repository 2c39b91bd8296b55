import { isTeam, type Participant } from '../base/team.ts';

/**
 * Checks that all participants are agents.
 *
 * @throws TypeError naming the first that is not.
 */
export function checkAgents(participants: readonly Participant[]): void {
  for (const participant of participants) {
    if (!isTeam(participant)) continue;
    throw new TypeError(
      `Participant <${participant.constructor.name} object> must be a ChatAgent.`,
    );
  }
}
