import { zapier } from './platforms/zapier.ts';
import { contractOf, quickly } from './suite.ts';

// Enough time to build an archive first, and for steps of half a minute that are held and run again.
jest.setTimeout(600_000);

contractOf(zapier, quickly);
