import { realN8n } from './platforms/realN8n.ts';
import { contractOf, requirements } from './suite.ts';

// The very first call installs n8n itself.
jest.setTimeout(25 * 60_000);

// A run with every field shows what one with the required fields does, and the sources run both. They also wait, in short time.
contractOf(
  realN8n,
  requirements.filter(({ id, waits }) => waits !== true && !id.endsWith(':required-fields:as-the-core')),
);
