/**
 * Tells people of trips through a webhook.
 *
 * @module
 */
export type { TripData, TripNotification } from './notification.ts';
export { NotifyError, type NotifyErrorCode } from './notify-error.ts';
export type { NotifyOptions } from './notify-options.ts';
export {
  type FlushOptions,
  type NotifiableBreaker,
  type Notifier,
  notifyTrips,
} from './notify-trips.ts';
