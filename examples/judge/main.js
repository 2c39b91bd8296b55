import { guardTeam } from '@teamfuse/adapter-agentchat';
import {
  AssistantAgent,
  MaxMessageTermination,
  RoundRobinGroupChat,
  TextMentionTermination,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { OpenAIChatCompletionClient } from '@teamfuse/models';
import { startModelServer } from './model-server.js';

const EXPECTED =
  'with a judge the loop ends 7 messages earlier and the twin is left alone; without an answer nothing is lost';

const TASKS = {
  loop: 'Write the allergen sheet for the dinner.',
  twin: 'Arrange the dinner on Friday.',
};

const server = await startModelServer();
const client = (model) =>
  new OpenAIChatCompletionClient({ model, baseURL: server.baseURL, apiKey: 'none' });

/**
 * Runs a team of two under a breaker, and says how it ended and after how many of its messages. `judge` is the model that is
 * asked through the client of the team.
 */
async function run(title, variant, judge) {
  console.log(title);
  const agents = ['anna', 'ben'].map(
    (name) =>
      new AssistantAgent(name, {
        modelClient: client(`${name}-${variant}`),
        systemMessage: 'Say TERMINATE when all is settled.',
      }),
  );
  const breaker = new Breaker();
  breaker.on('answer', ({ probability, reason }) =>
    console.log(`  the judge says ${probability}: ${reason}`),
  );
  breaker.on('error', ({ during }) => console.log(`  the ${during} gave no answer`));
  const team = new RoundRobinGroupChat(agents, {
    terminationCondition: new TextMentionTermination('TERMINATE').or(new MaxMessageTermination(40)),
  });
  guardTeam(team, breaker, { judge });
  const { messages, stopReason } = await team.run({ task: TASKS[variant] });
  console.log(`  after ${messages.length - 1} messages: ${stopReason}`);
  await breaker.conversation().answered();
  return { said: messages.length - 1, isStopped: breaker.conversation().trip !== undefined };
}

const loop = await run('the loop, with a judge', 'loop', 'judge');
const loopAlone = await run('the same loop, the breaker alone', 'loop', false);
const twin = await run('its healthy twin, with a judge', 'twin', 'judge');
const twinAlone = await run('the same twin, the breaker alone', 'twin', false);
const unsure = await run('the loop, with a judge that gives no answer', 'loop', 'chatty-judge');
await server.close();

const isTwinSaved = twinAlone.isStopped && !twin.isStopped;
const isNothingLost = unsure.isStopped && unsure.said === loopAlone.said;
const last = [
  `with a judge the loop ends ${loopAlone.said - loop.said} messages earlier`,
  ` and the twin is ${isTwinSaved ? 'left alone' : 'stopped'}`,
  `; without an answer ${isNothingLost ? 'nothing is lost' : 'the loop goes on'}`,
].join('');
console.log(last);
process.exitCode = last === EXPECTED ? 0 : 1;
