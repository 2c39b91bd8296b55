export { checkBreaker, checkOptions, GUARD_OPTIONS } from './check-options.ts';
export { guardedRequest } from './guarded-request.ts';
export { TrafficGuard } from './traffic-guard.ts';
