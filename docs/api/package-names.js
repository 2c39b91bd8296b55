import { Converter } from 'typedoc';

/** Names each module as it is imported: `@teamfuse/core/rx` in place of `core/src/rx`. */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      module.name = `@teamfuse/${module.name.replace(/\/src(?=\/|$)/, '').replace(/\/index$/, '')}`;
    }
  });
}
