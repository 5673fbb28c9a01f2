/**
 * The `_zapier-build` script of zapier/package.json. Zapier's own CLI runs it in the app's folder before it packs, pushes or invokes the
 * app.
 */
import { writeStamped } from './stamps.ts';
import { bundleZapier, zapierStamped } from './zapier.ts';

await writeStamped(await zapierStamped());
await bundleZapier(process.cwd());
