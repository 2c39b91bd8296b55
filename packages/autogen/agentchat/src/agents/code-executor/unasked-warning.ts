let hasWarned = false;

/** Warns, once in a process, that code of a model will run without anybody being asked. */
export function warnOfUnaskedCode(agent: string): void {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning(
    `CodeExecutorAgent '${agent}' has no approvalFunc: it runs all code it is given without asking.`,
    { code: 'TEAMFUSE_UNASKED_CODE' },
  );
}
