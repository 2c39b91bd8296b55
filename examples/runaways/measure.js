import { Breaker, explain } from '@teamfuse/core';
import { OpenAIChatCompletionClient } from '@teamfuse/models';
import { priceBook } from './server/prices.js';

/**
 * Runs one scenario without a breaker, with one whose guard has `judge: true`, and with one that has no judge.
 *
 * @param setting the model server that all runs share, and what follows from a finding
 * @returns the line that `--json` prints, and why the team was stopped in some lines for people
 */
export async function measure(scenario, isTwin, setting) {
  const [without, judged, alone] = await Promise.all([
    runOnce(scenario, { ...setting, isTwin }),
    guarded(scenario, { ...setting, isTwin, judge: true }),
    guarded(scenario, { ...setting, isTwin, judge: false }),
  ]);
  const row = {
    scenario: scenario.name,
    twin: isTwin,
    without,
    with: judged.run,
    withoutJudge: alone.run,
    savedRatio: Number((1 - judged.run.usd / without.usd).toFixed(3)),
  };
  return { row, explanation: judged.trip && explain(judged.trip) };
}

async function guarded(scenario, { reaction, ...options }) {
  const breaker = new Breaker({ prices: priceBook, reaction });
  const run = await runOnce(scenario, { ...options, breaker });
  const trip = breaker.conversation().trip ?? breaker.stopped[0]?.trip;
  const short = trip
    ? { kind: trip.kind, basis: trip.basis, at: trip.index, reason: trip.reason }
    : null;
  return { run: { ...run, trip: short }, trip };
}

/** Turns are what the framework has in its history; tokens are what the server counted, questions to the judge included. */
async function runOnce(scenario, { server, ...options }) {
  const { baseURL, calls } = server.forRun();
  const turns = await scenario.run({
    ...options,
    baseURL,
    clientFor: (model) => new OpenAIChatCompletionClient({ model, baseURL, apiKey: 'none' }),
  });
  await options.breaker?.conversation().answered();
  const nanoUsdByCall = calls.filter(({ isQuestion }) => !isQuestion).map(nanoUsdOf);
  const questions = calls.filter(({ isQuestion }) => isQuestion);
  const judgeUsd = sum(questions.map(nanoUsdOf)) / 1e9;
  return {
    turns,
    tokens: sum(calls.map(({ promptTokens, completionTokens }) => promptTokens + completionTokens)),
    usd: sum(nanoUsdByCall) / 1e9 + judgeUsd,
    questions: questions.length,
    judgeUsd,
    nanoUsdByCall,
  };
}

function nanoUsdOf({ model, promptTokens, completionTokens }) {
  const usage = { inputTokens: promptTokens, outputTokens: completionTokens };
  return priceBook.price(model, usage).nanoUsd;
}

function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount, 0);
}
