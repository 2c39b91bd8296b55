// Calls forty servers that misbehave and prints the error each gives and how long it took: `npm run attacks`.
import { OpenAIChatCompletionClient } from '@teamfuse/models';
import { endpoints } from './endpoints.js';
import { callModel, DEADLINE_MS } from './trial.js';

console.log(
  `| what the server does (without an answer the call may take ${DEADLINE_MS} ms) | error | ms |`,
);
console.log('| --- | --- | --- |');
for (const endpoint of endpoints) {
  const { error, ms } = await callModel(OpenAIChatCompletionClient, endpoint);
  console.log(`| ${endpoint.name} | ${error?.code ?? 'none'} | ${Math.round(ms)} |`);
}
