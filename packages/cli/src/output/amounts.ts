import type { Spend } from '../replay/spend.ts';

const FINE_DIGITS = 4;
/** Money is counted in billionths. */
const MOST_DIGITS = 9;
const COARSE = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** A stretch in words: money first, and turns last. */
export function spendText(spend: Spend): string {
  const money = spend.usd === null ? [] : [moneyText(spend)];
  const tokens = spend.tokens > 0 ? [tokensText(spend)] : [];
  return [...money, ...tokens, ...unpricedOf(spend), counted(spend.turns, 'turn')].join(', ');
}

/** What counts most: money where it is known, or else tokens, or else turns. */
export function amountText(spend: Spend): string {
  const unit = unitOf(spend);
  if (unit === 'turns') return counted(spend.turns, 'turn');
  return unit === 'usd' ? moneyText(spend) : tokensText(spend);
}

/** What {@link amountText} leaves out. */
export function restText(spend: Spend): string {
  const unit = unitOf(spend);
  if (unit === 'turns') return '';
  const tokens = unit === 'usd' && spend.tokens > 0 ? [tokensText(spend)] : [];
  return [...tokens, ...unpricedOf(spend), counted(spend.turns, 'turn')].join(', ');
}

/** The money of a stretch, which must be known. */
export function moneyText(spend: Spend, largest?: number): string {
  return `${aboutOf(spend)}${usdText(spend.usd ?? 0, largest)}`;
}

function tokensText(spend: Spend): string {
  return `${tokenCount(spend)} ${spend.tokens === 1 ? 'token' : 'tokens'}`;
}

/** The tokens of a stretch: three figures of an estimate. */
export function tokenCount(spend: Pick<Spend, 'tokens' | 'isEstimate'>): string {
  const { tokens, isEstimate } = spend;
  const shown = isEstimate ? Number(tokens.toPrecision(3)) : tokens;
  return `${aboutOf(spend)}${shown.toLocaleString('en')}`;
}

function unpricedOf({ tokens, unpricedTokens }: Spend): string[] {
  if (unpricedTokens === 0) return [];
  const isAll = unpricedTokens === tokens;
  return [isAll ? 'price unknown' : `${counted(unpricedTokens, 'token')} of unknown price`];
}

/** Marks what is estimated. */
function aboutOf({ isEstimate }: Pick<Spend, 'isEstimate'>): string {
  return isEstimate ? 'about ' : '';
}

/** How much of the whole a part is, from 0 to 1, in what counts most of the whole. */
export function shareOf(part: Spend, whole: Spend): number {
  const unit = unitOf(whole);
  const all = whole[unit] ?? 0;
  return all > 0 ? (part[unit] ?? 0) / all : 0;
}

/** @param share from 0 to 1 */
export function percentText(share: number): string {
  const percent = 100 * share;
  return `${percent.toFixed(percent > 0 && percent < 10 ? 1 : 0)} %`;
}

/** @param largest the largest amount in the same column, which sets the number of digits */
export function usdText(usd: number, largest: number = usd): string {
  if (largest < 1) return `$${usd.toLocaleString('en', fineDigits(usd))}`;
  return usd > 0 && usd < 0.005 ? '< $0.01' : `$${usd.toLocaleString('en', COARSE)}`;
}

/** Four decimals, or as many as show two figures of a smaller amount. */
function fineDigits(usd: number): Intl.NumberFormatOptions {
  const needed = usd > 0 ? 1 - Math.floor(Math.log10(usd)) : FINE_DIGITS;
  const most = Math.min(Math.max(FINE_DIGITS, needed), MOST_DIGITS);
  return { minimumFractionDigits: FINE_DIGITS, maximumFractionDigits: most };
}

export function counted(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;
}

function unitOf({ usd, tokens }: Spend): 'usd' | 'tokens' | 'turns' {
  if (usd !== null && usd > 0) return 'usd';
  return tokens > 0 ? 'tokens' : 'turns';
}
