import { Converter, Renderer } from 'typedoc';

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, nameModules);
  app.renderer.on(Renderer.EVENT_END_PAGE ?? 'endPage', keepAnchors);
}

/** Names each module as it is imported: `@teamfuse/core/rx` in place of `core/src/rx`. */
function nameModules({ project }) {
  for (const module of project.children ?? []) {
    const path = module.name.replace(/^autogen\//, '').replace(/\/src(?=\/|$)/, '');
    module.name = `@teamfuse/${path.replace(/\/index$/, '')}`;
  }
}

/** Takes the number off links to headings that stand on their page once: typedoc counts members without a heading, too. */
function keepAnchors(page) {
  const headings = [...page.contents.matchAll(/^#+ (\w+)/gm)].map(([, name]) => name.toLowerCase());
  page.contents = page.contents.replace(/\(#(\w+)-1\)/g, (link, name) =>
    headings.filter((heading) => heading === name).length === 1 ? `(#${name})` : link,
  );
}
