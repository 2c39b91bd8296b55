// @ts-expect-error sql.js has no types of its own
export { default } from 'sql.js';
