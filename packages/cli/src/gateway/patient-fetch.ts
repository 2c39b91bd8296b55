/** Where Node keeps what its `fetch` sends with, from the first use of `fetch` on. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/**
 * A `fetch` that waits for an answer, and for each piece of it, as long as its caller does. That of Node gives up after five
 * minutes, which long answers take: their caller would ask, and pay, once more.
 */
export async function patientFetch(): Promise<typeof fetch> {
  await fetch('data:,');
  const own: Dispatcher | undefined = Reflect.get(globalThis, DISPATCHER);
  if (own === undefined) return fetch;
  const dispatcher: Dispatcher = {
    dispatch: (options, handler) => own.dispatch({ ...options, ...NO_LIMITS }, handler),
  };
  return (input, init) => fetch(input, { ...init, dispatcher } as RequestInit);
}
