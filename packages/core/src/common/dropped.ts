const registry = new FinalizationRegistry<() => void>((dropped) => dropped());

/**
 * Calls `dropped` some time after nobody can reach an object any more, unless the returned function was called. What `dropped`
 * refers to must not lead to the object.
 */
export function whenDropped(object: object, dropped: () => void): () => void {
  const token = {};
  registry.register(object, dropped, token);
  return () => {
    registry.unregister(token);
  };
}
