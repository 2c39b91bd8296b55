import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; `undefined` where there is none. */
export const BROWSER: string | undefined = PLACES.find((path) => existsSync(path));
