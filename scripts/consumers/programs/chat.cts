import adapter = require('@teamfuse/adapter-groupchat');
import core = require('@teamfuse/core');
import groupchat = require('@teamfuse/groupchat');

const says = (name: string, text: string): groupchat.ConversableAgent =>
  new groupchat.ConversableAgent({ name, defaultAutoReply: text, humanInputMode: 'NEVER' });

const [writer, critic] = [
  says('writer', 'Here is the draft.'),
  says('critic', 'Please revise it.'),
];
const breaker = new core.Breaker({ maxMessages: 60 });
adapter.guardAgents([writer, critic], breaker);

async function chat(): Promise<string> {
  const { chatHistory } = await writer.initiateChat(critic, { message: 'A poem.', silent: true });
  const { trip } = breaker.conversation();
  return `${trip?.kind} after ${chatHistory.length} messages, stop reason: ${trip?.reason !== undefined}`;
}

chat().then(console.log, console.error);
