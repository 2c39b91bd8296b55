import type { Spend } from '../replay/spend.ts';

const FINE = { minimumFractionDigits: 4, maximumFractionDigits: 4 };
const COARSE = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** A stretch in words. */
export function spendText(spend: Spend): string {
  const { turns, tokens, usd, unpricedTokens } = spend;
  const parts = [counted(turns, 'turn')];
  if (tokens > 0) parts.push(counted(tokens, 'token'));
  if (usd !== null) parts.push(usdText(usd));
  if (unpricedTokens > 0) {
    parts.push(
      unpricedTokens === tokens
        ? 'price unknown'
        : `${counted(unpricedTokens, 'token')} of unknown price`,
    );
  }
  return parts.join(', ');
}

/** What counts most: money where it is known, or else tokens, or else turns. */
export function amountText(spend: Spend): string {
  const unit = unitOf(spend);
  return unit === 'usd' ? usdText(spend.usd ?? 0) : counted(spend[unit], unit.slice(0, -1));
}

/** What {@link amountText} leaves out. */
export function restText(spend: Spend): string {
  const unit = unitOf(spend);
  const { turns, ...rest } = spend;
  if (unit === 'turns') return '';
  const tokens = unit === 'tokens' ? 0 : spend.tokens;
  return spendText({ turns, ...rest, tokens, usd: null });
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
  if (largest < 1) return `$${usd.toLocaleString('en', FINE)}`;
  return usd > 0 && usd < 0.005 ? '< $0.01' : `$${usd.toLocaleString('en', COARSE)}`;
}

export function counted(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;
}

function unitOf({ usd, tokens }: Spend): 'usd' | 'tokens' | 'turns' {
  if (usd !== null && usd > 0) return 'usd';
  return tokens > 0 ? 'tokens' : 'turns';
}
