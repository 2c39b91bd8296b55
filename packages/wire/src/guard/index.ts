export { askModel } from './ask-model.ts';
export { checkBreaker, checkOptions, GUARD_OPTIONS } from './check-options.ts';
export { guardedRequest, isToModel } from './guarded-request.ts';
export { type Traffic, TrafficGuard } from './traffic-guard.ts';
