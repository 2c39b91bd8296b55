/** A `Uint8Array` whose buffer nobody shares. `Uint8Array<ArrayBuffer>` says so only since TypeScript 5.7. */
export type Bytes = ReturnType<Uint8Array['slice']>;
