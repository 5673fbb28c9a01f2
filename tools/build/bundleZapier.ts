/** The `_zapier-build` script of zapier/package.json. Zapier's own CLI runs it in the app's folder before it packs, pushes or invokes the app. */
import { bundleZapier } from './zapier.ts';

await bundleZapier(process.cwd());
