export { type InstallGuard, installOn } from './install-on.ts';
export type { InstallOptions } from './install-options.ts';
export type { FoundTarget, InstallReport } from './install-report.ts';
