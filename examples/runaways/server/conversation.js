/**
 * A conversation as a persona knows it, all of it read from one request: the server remembers nothing.
 *
 * @typedef {object} Conversation
 * @property {number} turn how often the persona has spoken
 * @property {readonly string[]} heard what others said, the oldest first; no instructions
 */

/**
 * @param {readonly { role: string, content: unknown }[]} messages
 * @returns {Conversation}
 */
export function heardBy(messages) {
  return {
    turn: messages.filter(({ role }) => role === 'assistant').length,
    heard: messages
      .filter(({ role }) => role === 'user' || role === 'tool')
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
  };
}
