// An accountant and an auditor go through a ledger, page by page, and every page is news.
// Quoting: each answer carries all that was said before below it, so that every turn costs more than the last.
// Healthy: the same lines without the quotations, and an end after six pages.

const accountantLine =
  'Page {page}: the entries add up to {amount} euros, and the vouchers are there.';
const auditorLine = 'Noted for page {page}. My own sum is {amount} euros before tax; please go on.';

const quoting = { kind: 'pages', lastPage: Number.POSITIVE_INFINITY, farewell: '', quoting: true };
const healthy = { kind: 'pages', lastPage: 6, quoting: false };

export const accountantQuoting = { ...quoting, line: accountantLine };
export const auditorQuoting = { ...quoting, line: auditorLine };

export const accountantHealthy = {
  ...healthy,
  line: accountantLine,
  farewell: 'That was the last page. The ledger is in order. TERMINATE',
};
export const auditorHealthy = {
  ...healthy,
  line: auditorLine,
  farewell: 'I have seen all pages and have no objections. TERMINATE',
};
