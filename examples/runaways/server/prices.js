import { PriceList } from '@teamfuse/prices';
import { personas } from './personas/index.js';

/**
 * What the demo charges for every persona: 2.50 and 10 US dollars a million tokens, the public prices of gpt-4o.
 *
 * The models of the demo are made up, so no table knows them; an unknown price would count as unknown, not as free.
 */
const demoPrices = { inputUsdPerMillion: 2.5, outputUsdPerMillion: 10 };

/** The prices of all personas. */
export const priceBook = new PriceList(
  Object.fromEntries([...personas.keys()].map((model) => [model, demoPrices])),
);
