import { realN8n } from './platforms/realN8n.ts';
import { contractOf, quickly } from './suite.ts';

// The very first call installs n8n itself.
jest.setTimeout(25 * 60_000);

// A run with every field shows what one with the required fields does, and its sources run both.
contractOf(
  realN8n,
  quickly.filter(({ id }) => !id.endsWith(':required-fields:as-the-core')),
);
