import { zapier } from './platforms/zapier.ts';
import { contractOf } from './suite.ts';

// Room for an archive that has to be built first, and for steps of half a minute that are held and run again.
jest.setTimeout(600_000);

contractOf(zapier);
