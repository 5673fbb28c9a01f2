import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first is the browser without windows. The others lay theirs out unseen, which takes half of their processor time. */
export const chromiumNames = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const elsewhere = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** The path of this machine's Chromium, if there is one. */
export const chromiumPath = (): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => chromiumNames.map((name) => join(folder, name))), ...elsewhere].find(
    (file) => existsSync(file),
  );
