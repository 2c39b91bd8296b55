/** What one check of a project found. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do; missing where all is well. */
  readonly advice?: string;
}
