/**
 * The `_zapier-build` script of zapier/package.json. Zapier's own CLI runs it in the app's folder before it packs, pushes or invokes the
 * app.
 */
import { bundleZapier, stampZapier } from './zapier.ts';

await stampZapier();
await bundleZapier(process.cwd());
