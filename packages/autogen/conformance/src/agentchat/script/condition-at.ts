import { ExternalTermination, type Termination } from '@teamfuse/agentchat';

/** The condition at a path of child positions. */
export function childAt(root: Termination, path: readonly number[] = []): Termination {
  return path.reduce((condition, at) => {
    const children = 'conditions' in condition ? (condition.conditions as Termination[]) : [];
    const child = children[at];
    if (child === undefined) throw new Error(`no condition at ${JSON.stringify(path)}`);
    return child;
  }, root);
}

/** Asks an ExternalTermination to stop. */
export function setExternal(root: Termination, path: readonly number[] | undefined): void {
  const condition = childAt(root, path);
  if (!(condition instanceof ExternalTermination)) throw new Error('not an ExternalTermination');
  condition.set();
}
