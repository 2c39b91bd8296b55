import type { RequestUsage } from './client.ts';

/** Adds up what calls used, cached answers apart. */
export class UsageMeter {
  #actual: RequestUsage = noUsage;
  #total: RequestUsage = noUsage;

  get actual(): RequestUsage {
    return this.#actual;
  }

  get total(): RequestUsage {
    return this.#total;
  }

  add(usage: RequestUsage, isCached: boolean): void {
    this.#total = sum(this.#total, usage);
    if (!isCached) this.#actual = sum(this.#actual, usage);
  }

  reset(): void {
    this.#actual = noUsage;
    this.#total = noUsage;
  }
}

const noUsage: RequestUsage = { promptTokens: 0, completionTokens: 0 };

function sum(a: RequestUsage, b: RequestUsage): RequestUsage {
  const cached = (a.cachedPromptTokens ?? 0) + (b.cachedPromptTokens ?? 0);
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    ...(cached > 0 && { cachedPromptTokens: cached }),
  };
}
