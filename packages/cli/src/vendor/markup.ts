export { type ComponentChild, h, type VNode } from 'preact';
export { renderToString } from 'preact-render-to-string';
