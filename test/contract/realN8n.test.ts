import { realN8n } from './platforms/realN8n.ts';
import { contractOf, quickly } from './suite.ts';

// The very first call installs n8n itself.
jest.setTimeout(25 * 60_000);

contractOf(realN8n, quickly);
