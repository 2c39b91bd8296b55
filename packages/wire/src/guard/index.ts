export { askModel } from './ask-model.ts';
export { checkBreaker, checkOptions, GUARD_OPTIONS } from './check-options.ts';
export { guardedRequest, isToModel } from './guarded-request.ts';
export { MAX_BODY_BYTES } from './read-whole.ts';
export { type Traffic, TrafficGuard } from './traffic-guard.ts';
