import { guardTeam } from '@teamfuse/adapter-agentchat';
import {
  AssistantAgent,
  MaxMessageTermination,
  RoundRobinGroupChat,
  TextMentionTermination,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { OpenAIChatCompletionClient } from '@teamfuse/models';
import { modelJudge } from './judge.js';
import { startModelServer } from './model-server.js';

const EXPECTED =
  'with a judge the loop ends 2 messages earlier and the twin is left alone; without an answer nothing is lost';

const TASKS = {
  loop: 'Polish the draft of our invitation.',
  twin: 'Arrange the dinner on Friday.',
};

const server = await startModelServer();
const client = (model) =>
  new OpenAIChatCompletionClient({ model, baseURL: server.baseURL, apiKey: 'none' });

/** Runs a team of two under a breaker, and says how it ended and after how many of its messages. */
async function run(title, variant, confirm) {
  console.log(title);
  const agents = ['anna', 'ben'].map(
    (name) =>
      new AssistantAgent(name, {
        modelClient: client(`${name}-${variant}`),
        systemMessage: 'Say TERMINATE when all is settled.',
      }),
  );
  const breaker = new Breaker(confirm && { confirm });
  breaker.on('error', ({ during, error }) => console.log(`  ${during} failed: ${error.name}`));
  const team = new RoundRobinGroupChat(agents, {
    terminationCondition: new TextMentionTermination('TERMINATE').or(new MaxMessageTermination(40)),
  });
  guardTeam(team, breaker);
  const { messages, stopReason } = await team.run({ task: TASKS[variant] });
  // The last message may have raised a question, too.
  await breaker.settled();
  const said = messages.length - 1;
  console.log(`  after ${said} messages: ${stopReason}`);
  return { said, isStopped: breaker.trip !== undefined };
}

const judge = modelJudge(client('judge'));
const slowJudge = modelJudge(client('slow-judge'));
const loopAlone = await run('a loop, the breaker alone', 'loop');
const loop = await run('the same loop, with a judge', 'loop', judge);
const twinAlone = await run('its healthy twin, the breaker alone', 'twin');
const twin = await run('the same twin, with a judge', 'twin', judge);
const slow = await run('the loop, with a judge that does not answer in time', 'loop', slowJudge);
await server.close();

const isTwinSaved = twinAlone.isStopped && !twin.isStopped;
const isNothingLost = slow.isStopped && slow.said === loopAlone.said;
const last = [
  `with a judge the loop ends ${loopAlone.said - loop.said} messages earlier`,
  ` and the twin is ${isTwinSaved ? 'left alone' : 'stopped'}`,
  `; without an answer ${isNothingLost ? 'nothing is lost' : 'the loop goes on'}`,
].join('');
console.log(last);
process.exitCode = last === EXPECTED ? 0 : 1;
