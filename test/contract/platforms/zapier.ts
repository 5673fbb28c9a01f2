import { builtFolder } from '../../../tools/build/products.ts';
import { startArchive } from '../../../tools/rigs/zapier/lambda.ts';
import type { Platform } from '../platform.ts';
import { connectedBy, zapierSources } from './zapierSources.ts';

/** The built archive, run as Zapier runs it. Each connection has its own process, like every step at Zapier. */
export const zapier: Platform = {
  ...zapierSources,
  name: 'the built Zapier archive',
  async install() {
    await builtFolder('zapier');
    return { connect: connectedBy(startArchive) };
  },
};
