const MAX_WAIT_MS = 300;

const QUESTION =
  'You see the latest lines of a team of agents. Do they go in circles, or does each line settle something? ' +
  'Answer in JSON: { "isLoop": true } or { "isLoop": false }.';

/**
 * Somebody to ask for a second opinion: a model, for 300 ms at most. Nothing is admitted while it is being asked, so the
 * wait has to have an end. The model is not one of the guarded ones, or its own call would wait for its own answer.
 */
export function modelJudge(client) {
  return async function confirm({ kind, level, evidence: { count } }, recentSignals) {
    const said = recentSignals.filter((signal) => signal.kind === 'message');
    const { content } = await client.create(
      [
        { type: 'SystemMessage', content: QUESTION },
        {
          type: 'UserMessage',
          content: said.map(({ agent, text }) => `${agent}: ${text}`).join('\n'),
          source: 'breaker',
        },
      ],
      { signal: AbortSignal.timeout(MAX_WAIT_MS) },
    );
    const { isLoop } = JSON.parse(content);
    const how = level === 'trip' ? 'is sure of' : 'is in doubt about';
    console.log(`  the breaker ${how} ${kind} (${count}), the judge says ${isLoop ? 'yes' : 'no'}`);
    return isLoop;
  };
}
