import type { PriceBook } from '@teamfuse/core';

/** A price book whose errors are reported, and leave the price unknown. */
export interface SafePrices extends PriceBook {
  readonly isSafe: true;
}

/** Wraps a user's price book. */
export function safePrices(prices: PriceBook, report: (error: unknown) => void): SafePrices {
  const price: PriceBook['price'] = (model, usage) => {
    try {
      const given = prices.price(model, usage);
      const isPrice = given === undefined || (Number.isFinite(given.nanoUsd) && given.nanoUsd >= 0);
      if (isPrice) return given;
      const received = String(given.nanoUsd);
      throw new RangeError(`prices.price: expected nanoUsd of at least 0, received ${received}`);
    } catch (error) {
      report(error);
      return undefined;
    }
  };
  const contextWindow = (model: string): number | undefined => {
    try {
      const tokens = prices.contextWindow?.(model);
      return Number.isSafeInteger(tokens) && (tokens as number) > 0 ? tokens : undefined;
    } catch (error) {
      report(error);
      return undefined;
    }
  };
  return { price, contextWindow, isSafe: true };
}
