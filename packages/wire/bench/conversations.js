const FILLER = 'The harbour master noted the wind, the tide and the hour, and counted the ships. ';
const TURNS = 8;
let begun = 0;

/**
 * Requests of conversations whose histories are `length` messages long on average. Each goes on for some turns, with the answers
 * that its requests ask for.
 */
export function* requests(length, isStreamed) {
  const first = Math.max(1, length - TURNS);
  for (;;) {
    const id = begun++;
    const messages = [{ role: 'system', content: 'You are a careful clerk at a harbour.' }];
    const say = (role, text) => messages.push({ role, content: text });
    const next = () => `${FILLER}Entry ${messages.length} of book ${id}.`;
    while (messages.length < first) say(messages.length % 2 === 1 ? 'user' : 'assistant', next());
    for (let turn = 0; turn < TURNS; turn++) {
      say('user', next());
      const answer = next();
      const asked = { metadata: { answer }, model: 'gpt-4o-mini', ...(isStreamed && STREAMED) };
      // The first request of a long history is all new, as it is nowhere else.
      yield { body: JSON.stringify({ ...asked, messages }), answer, isFirst: turn === 0 };
      say('assistant', answer);
    }
  }
}

const STREAMED = { stream: true };
