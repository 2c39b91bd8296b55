/** Fields in which errors and answers give an HTTP status. */
export const STATUS_FIELDS: readonly string[] = ['status', 'statusCode', 'status_code'];
const FIRST = 400;
const LAST = 599;

/** Whether it is an HTTP status that stands for an error. */
export function isErrorStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= FIRST && (value as number) <= LAST;
}

/** Fields in which those who run programs give the exit code. */
export const EXIT_FIELDS: readonly string[] = [
  ...['exitCode', 'exit_code', 'returnCode', 'returncode', 'return_code'],
];
