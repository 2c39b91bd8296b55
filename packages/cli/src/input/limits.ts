/** How much of an input is held in memory at a time. */
export interface InputLimits {
  /** Bytes of one line; a longer one counts as broken. */
  readonly maxLineBytes: number;
  /** Bytes of a document that can only be read as a whole. */
  readonly maxDocumentBytes: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_LIMITS: InputLimits = {
  maxLineBytes: 64 * MIB,
  maxDocumentBytes: 384 * MIB,
};
