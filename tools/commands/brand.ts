/**
 * `npm run brand`: writes the brand of `brand.json` into every file that contains it: documents, manifests, workflows and pipelines. The
 * brand that they contain until then is in tools/build/brand/applied.json.
 */
import { cp, glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brand, checkBrand } from '../../shared/brand.ts';
import { madeUp, rebrand, written } from '../build/brand/replace.ts';
import { runProgram } from '../commandLine/command.ts';
import { mustRun } from '../process/command.ts';
import { root } from '../root.cjs';
import { Progress } from '../start/progress.ts';

const command = {
  name: 'npm run brand',
  does: 'writes the name in brand.json into all documents, manifests and workflows.',
  options: {},
  examples: [['npm run brand', 'After you have edited brand.json. Then look at `git diff`.']],
} as const;

const appliedFile = join(root, 'tools', 'build', 'brand', 'applied.json');

const { email, repositories } = madeUp(brand);
const left = `Left for you:
  - your logo: n8n/icons/, a square SVG for light and one for dark screens; mcp/icon.png, 512 x 512
  - your privacy policy: docs/provider/listings.md has a text for it, docs/provider/mcp.md says where to link it
  - the author's email and the repository: package.json in n8n/, mcp/, sdk/ and sandbox/. Until you replace them, they are
    made up: ${email}, ${repositories[0]}
  - the address for reports, the same email until you replace it: SECURITY.md and .github/ISSUE_TEMPLATE/config.yml
  - the server's name in the registry of MCP servers: mcp/package.json and mcp/server.json
  - the copyright holder: LICENSE
  - the pictures and the recording, with Chromium and ffmpeg, in about ten minutes. Until then, \`npm run check\` and
    \`npm test\` report them as stale.
                  UPDATE_PICTURES=1 npm test -- test/sandbox/hostPageInBrowser test/e2e/start
                  UPDATE_SCREENS=1 npm test -- test/n8n/editor test/n8n/golden
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
