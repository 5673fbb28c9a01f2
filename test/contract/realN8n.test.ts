import { realN8n } from './platforms/realN8n.ts';
import { contractOf, requirements } from './suite.ts';

// The very first call installs n8n itself.
jest.setTimeout(25 * 60_000);

/** Three services show what a person sees in n8n: one with parts of a time, one with an envelope, one with an object in an object. */
const shownHere = /^(?!service:)|^service:(?:acuity|calcom2|square):/;

// A run with every field shows what one with the required fields does, and the sources run both. They also wait, in short time.
contractOf(
  realN8n,
  requirements.filter(({ id, waits }) => waits !== true && shownHere.test(id) && !id.endsWith(':required-fields:as-the-core')),
);
