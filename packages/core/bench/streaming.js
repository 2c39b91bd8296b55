import { ModelCall } from '@teamfuse/core/kit';
import { Figures, nsOf } from './stopwatch.js';
import { prose, seededRandom } from './words.js';

const CHARACTERS = 200;
const PIECE = /.{1,4}/gs;
const LIMIT = 20;
const REQUEST = { kind: 'model-request', at: 0, agent: 'writer', model: 'm', inputTokens: 0 };
const HOST = { observe: () => {}, reportError: () => {}, now: () => 0 };

/** What 200 characters take of an answer that streams in pieces of four, at the end of a long one. */
export async function nsPerStreamed({ count, runs, warmUps }) {
  const random = seededRandom(1);
  const call = new ModelCall({ host: HOST, request: REQUEST, streamLimit: LIMIT });
  let turn = 0;
  const run = () => {
    const texts = Array.from({ length: count }, () => prose(random, CHARACTERS, turn++));
    const pieces = texts.flatMap((text) => text.match(PIECE));
    return (
      nsOf(() => {
        for (const piece of pieces) call.streamed(piece);
      }) / count
    );
  };
  for (let i = 0; i < warmUps; i++) run();
  return new Figures().add(runs, run);
}
