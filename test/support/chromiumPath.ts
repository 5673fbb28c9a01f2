import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first is the browser without its windows, which other ones lay out even if nobody sees them: half of their processor time. */
export const chromiumNames = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const elsewhere = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** The Chromium of this machine, if there is one. */
export const chromiumPath = (): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => chromiumNames.map((name) => join(folder, name))), ...elsewhere].find(
    (file) => existsSync(file),
  );
