import { zapier } from './platforms/zapier.ts';
import { contractOf, quickly } from './suite.ts';

// Enough time to build an archive first, and for steps that are held for half a minute and run again.
jest.setTimeout(600_000);

contractOf(zapier, quickly);
