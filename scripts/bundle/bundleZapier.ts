/** The `_zapier-build` script of zapier/package.json: what Zapier's own CLI calls before it packs, pushes or invokes the app. */
import { bundleZapier } from './zapier.ts';

await bundleZapier();
