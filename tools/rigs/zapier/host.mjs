/**
 * The process that runs a Zapier app: `node host.mjs <folder of the app>`. It loads the wrapper with which Zapier starts an app, and passes
 * events to its handler.
 *
 * The app's environment is *not* set here: like Zapier, the parent process sends it with each event, after the app was loaded.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.argv[2] ?? '.';
process.on('disconnect', () => process.exit(0));

/** @type {unknown} */
const wrapper = await import(pathToFileURL(join(folder, 'zapierwrapper.js')).href);
const { handler } = /** @type {{ handler: (event: object) => Promise<object> }} */ (wrapper);

process.on('message', (/** @type {{ id: number, event: object }} */ { id, event }) => {
  handler(event).then(
    (answer) => process.send?.({ id, answer }),
    (/** @type {Error} */ { name, message }) => process.send?.({ id, error: { name, message } }),
  );
});
process.send?.({ ready: true });
