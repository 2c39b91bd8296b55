import type { GuardOptions } from '@teamfuse/adapter-kit';
import type { Trip } from '@teamfuse/core';
import {
  functionOf,
  type OptionTable,
  orInvalid,
  readOptions,
  type WithDefaults,
} from '@teamfuse/core/options';

/** Options of `guardClient()`. */
export interface ClientOptions extends GuardOptions, OwnOptions {}

interface OwnOptions {
  /** Who calls, in signals and in reasons, outside of the work of a guarded agent. @defaultValue 'host' */
  readonly agent?: string;
  /** What a refused `callTool` gives: a result with `isError` and the reason, or a `TrippedError`. @defaultValue 'result' */
  readonly onRefusal?: 'result' | 'throw';
  /** Told of each trip of the clients' own conversations: nothing but the host can end its run. @defaultValue none */
  readonly onTrip?: (trip: Trip) => void;
}

const OWN: OptionTable<OwnOptions, 'onTrip'> = {
  agent: { type: 'text', default: 'host' },
  onRefusal: { type: 'choice', values: ['result', 'throw'], default: 'result' },
  onTrip: { type: 'code' },
};

/**
 * The options of the adapter with their defaults, and those that all guards share.
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function splitOptions(options: ClientOptions): {
  readonly own: WithDefaults<OwnOptions, 'onTrip'>;
  readonly shared: GuardOptions;
} {
  const { agent, onRefusal, onTrip, ...shared } = orInvalid(
    'options',
    'an object',
    options,
    () => ({
      ...options,
    }),
  );
  const given = { agent, onRefusal, onTrip } as OwnOptions;
  if (onTrip !== undefined) functionOf('onTrip', onTrip);
  return { own: readOptions<OwnOptions, 'onTrip'>('', given, OWN), shared };
}
