/**
 * `npm run brand`: writes the brand of `brand.json` into every file that contains it: documents, manifests, workflows and pipelines. The
 * brand that they contained before is in tools/build/brand/applied.json.
 */
import { cp, glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brand, checkBrand } from '../../shared/brand.ts';
import { takePictures } from '../check/pictures.ts';
import { rebrand, usually, written } from '../build/brand/replace.ts';
import { runProgram } from '../commandLine/command.ts';
import { mustRun } from '../process/command.ts';
import { root } from '../root.cjs';
import { Progress } from '../start/progress.ts';

const command = {
  name: 'npm run brand',
  does: 'writes what brand.json says into all documents, manifests and workflows.',
  options: {},
  examples: [['npm run brand', 'After you have edited brand.json. Then look at `git diff`.']],
} as const;

const appliedFile = join(root, 'tools', 'build', 'brand', 'applied.json');

const missing = Object.entries(usually(brand)).filter(([entry]) => !Object.hasOwn(brand, entry));
const width = Math.max(...missing.map(([entry]) => entry.length));
const made =
  missing.length === 0
    ? ''
    : `
  - in brand.json, where nothing is said yet. Until then it is made up:
${missing.map(([entry, text]) => `      ${entry.padEnd(width)}  ${text}`).join('\n')}`;
const left = `Left for you:${made}
  - your logo: n8n/icons/, a square SVG for light and one for dark screens; mcp/icon.png, 512 x 512
  - your privacy policy: docs/provider/listings.md has a text for it
  - the pictures, with Chromium, in about ten minutes. Until then, \`npm run check\` names them:
      ${takePictures.join('\n      ')}
Then run \`npm run check\` and \`npm test\`, and review the changes before you commit.`;

await runProgram(command, async () => {
  const before = checkBrand(JSON.parse(await readFile(appliedFile, 'utf8')) as Record<string, unknown>);
  const progress = new Progress();
  await progress.step(`the name ${brand.name} is in every file that people write`, async () => {
    for await (const name of glob(written, { cwd: root, exclude: ['**/node_modules', 'docs/openapi.json'] })) {
      const file = join(root, name);
      const text = await readFile(file, 'utf8');
      const renamed = rebrand(text, before, brand);
      if (renamed !== text) await writeFile(file, renamed);
    }
    await cp(join(root, 'brand.json'), appliedFile);
  });
  await progress.step('the generated files have it too', () => mustRun(process.execPath, ['tools/commands/docs.ts'], { cwd: root }));
  console.log(`\nSee \`git diff\`.\n\n${left}`);
});
