import { zapierZip } from '../../../tools/build/products.ts';
import { startArchive } from '../../../tools/rigs/zapier/lambda.ts';
import type { Built } from '../parts/stage.ts';

/** The archive that Zapier's own tool built, in a process of its own. */
export const archive: Built = {
  name: 'the built Zapier app',
  start: async (options) => startArchive({ ...options, zip: await zapierZip() }),
};
