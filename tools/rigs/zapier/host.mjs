/**
 * The process that runs a Zapier app: `node host.mjs <folder of the unpacked archive>`. It loads the archive's own wrapper and
 * passes events to its handler, as JSON text in both directions.
 *
 * The environment of the app is *not* set here: like Zapier, the parent process sends it with each event, after the app was loaded.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.argv[2] ?? '.';
process.on('disconnect', () => process.exit(0));

/** @type {unknown} */
const wrapper = await import(pathToFileURL(join(folder, 'zapierwrapper.js')).href);
const { handler } = /** @type {{ handler: (event: object) => Promise<object> }} */ (wrapper);

/** @param {object} message */
const send = (message) => process.send?.(JSON.stringify(message));

process.on('message', (/** @type {string} */ text) => {
  /** @type {unknown} */
  const message = JSON.parse(text);
  const { id, event } = /** @type {{ id: number, event: object }} */ (message);
  handler(event).then(
    (answer) => send({ id, answer }),
    (/** @type {unknown} */ error) => {
      const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
      send({ id, error: { name, message } });
    },
  );
});
send({ ready: true });
