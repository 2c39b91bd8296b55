import { expect, test } from 'vitest';
import { outermostScope } from '../src/scope.ts';
import { Turns } from '../src/turn.ts';

test('[GCF7] turns whose replies are never sent do not pile up', () => {
  const turns = new Turns();
  const agent = { name: 'A' };
  const scope = outermostScope(agent);
  for (let at = 0; at < 1_000; at += 1) {
    turns.begin({ agent, sender: { name: `sender ${at}` }, scope }).isAnswered = true;
  }
  expect(turns.endAll(scope)).toHaveLength(1);
});
