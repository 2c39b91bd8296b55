import type { Trip } from '@teamfuse/core' with { 'resolution-mode': 'import' };

async function main(): Promise<Trip | undefined> {
  const { Breaker } = await import('@teamfuse/core');
  const breaker = new Breaker({ maxMessages: 1 });
  return breaker.observe({ kind: 'message', agent: 'writer', text: 'A first draft.' });
}

main().then(
  (trip) => console.log(`${trip?.kind} after 1 messages, stop reason: true`),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
