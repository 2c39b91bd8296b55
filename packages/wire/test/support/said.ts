/** What a scripted model says. */
export interface Said {
  readonly text?: string;
  /** An error instead of an answer. */
  readonly status?: number;
  /** The body of the error. */
  readonly problem?: string;
  /** After how many events the endpoint dies, or stays silent until the client leaves. */
  readonly diesAfter?: number;
  readonly stopsAfter?: number;
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly args: object }[];
}
