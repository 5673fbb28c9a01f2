import { zapierZip } from '../../../tools/build/products.ts';
import { startArchive } from '../../../tools/rigs/zapier/lambda.ts';
import type { RuntimeOptions } from '../../../tools/rigs/zapier/runtime.ts';

/** The archive that Zapier's own tool built, in a process of its own. */
export const startBuilt = async (options: Pick<RuntimeOptions, 'environment' | 'timeZone'>) =>
  startArchive({ ...options, zip: await zapierZip() });
