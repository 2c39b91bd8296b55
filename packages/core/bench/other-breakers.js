import { ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import OpossumBreaker from 'opossum';
import { Figures, nsOfAsync } from './stopwatch.js';

/** What a call that does nothing takes through other circuit breakers, one call after the other. */
export async function nsPerCall({ count, runs, warmUps }) {
  const policy = circuitBreaker(handleAll, {
    halfOpenAfter: 1000,
    breaker: new ConsecutiveBreaker(5),
  });
  const opossum = new OpossumBreaker(async () => {});
  const calls = {
    'cockatiel 3.2.1, call that does nothing': () => policy.execute(async () => {}),
    'opossum 9.0.0, call that does nothing': () => opossum.fire(),
  };
  const figures = {};
  for (const [name, call] of Object.entries(calls)) {
    figures[name] = await time(call, { count, runs, warmUps });
  }
  // It keeps a timer, which would keep the process.
  opossum.shutdown();
  return figures;
}

async function time(call, { count, runs, warmUps }) {
  const run = async () => {
    const taken = await nsOfAsync(async () => {
      for (let i = 0; i < count; i++) await call();
    });
    return taken / count;
  };
  for (let i = 0; i < warmUps; i++) await run();
  const figures = new Figures();
  await figures.add(runs, run);
  return figures;
}
