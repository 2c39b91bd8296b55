import { Breaker, explain } from '@teamfuse/core';
import { modelJudge } from '@teamfuse/judge';
import { OpenAIChatCompletionClient } from '@teamfuse/models';
import { priceBook } from './server/prices.js';

/**
 * Runs one scenario without a breaker, with one that has no options at all, and with one that has a judge.
 *
 * @returns the line that `--json` prints, and why the team was stopped in some lines for people
 */
export async function measure(scenario, isTwin, server) {
  const without = await runOnce(scenario, { isTwin }, server);
  const breaker = new Breaker();
  const guarded = await runOnce(scenario, { isTwin, breaker }, server);
  const { trip } = breaker;
  const judge = modelJudge(clientFor('judge', server), { prices: priceBook });
  const judged = new Breaker({ judge });
  const withJudge = await runOnce(scenario, { isTwin, breaker: judged }, server);
  const row = {
    scenario: scenario.name,
    twin: isTwin,
    without,
    with: {
      ...guarded,
      trip: shortOf(trip),
    },
    withJudge: {
      ...withJudge,
      trip: shortOf(judged.trip),
      questions: judged.judged.questions,
      judgeUsd: judged.judged.cost.nanoUsd / 1e9,
    },
    savedRatio: Number((1 - guarded.usd / without.usd).toFixed(3)),
  };
  return { row, explanation: trip && explain(trip) };
}

function shortOf(trip) {
  return trip ? { kind: trip.kind, at: trip.index, reason: trip.reason } : null;
}

/** Turns are what the framework has in its history; tokens are what the server counted. */
async function runOnce(scenario, options, server) {
  const first = server.calls.length;
  const turns = await scenario.run({ ...options, clientFor: (model) => clientFor(model, server) });
  await options.breaker?.answered();
  let tokens = 0;
  const nanoUsdByCall = [];
  for (const { model, promptTokens, completionTokens } of server.calls.slice(first)) {
    const usage = { inputTokens: promptTokens, outputTokens: completionTokens };
    tokens += promptTokens + completionTokens;
    nanoUsdByCall.push(priceBook.price(model, usage).nanoUsd);
  }
  const nanoUsd = nanoUsdByCall.reduce((sum, cost) => sum + cost, 0);
  return { turns, tokens, usd: nanoUsd / 1e9, nanoUsdByCall };
}

function clientFor(model, { baseURL }) {
  return new OpenAIChatCompletionClient({ model, baseURL, apiKey: 'none' });
}
