/** `npm run build`: the Zapier archive and the packages for n8n, for agents and for developers, ready to be published. */
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bundleName } from '../build/names.ts';
import { placeFolder } from '../build/place.ts';
import { mcpFolder, n8nFolder, n8nTarball, packedMcp, packedSdk, sdkFolder, zapierFolder } from '../build/products.ts';
import { runProgram } from '../commandLine/command.ts';
import { root } from '../root.cjs';
import { Progress } from '../start/progress.ts';

const command = {
  name: 'npm run build',
  does: 'builds the Zapier archive and the packages for n8n, agents and developers, and prints where they are.',
  options: {},
  examples: [['npm run build', 'Everything that ships.']],
} as const;

/** Copies a product to the place where people and the platforms' tools look for it. @param where within the project */
const place = (made: string, where: string): Promise<void> => placeFolder(join(root, where), (copy) => cp(made, copy, { recursive: true }));

await runProgram(command, async () => {
  const progress = new Progress();
  const [n8n, tarball] = await progress.step('the n8n package', async () => [await n8nFolder(), await n8nTarball()] as const);
  const zapier = await progress.step('the Zapier archive', zapierFolder);
  const { tarball: mcp } = await progress.step('the MCP server', packedMcp);
  const { tarball: sdk } = await progress.step('the package for developers', packedSdk);
  for (const part of ['dist', 'build']) await place(join(zapier, part), join('zapier', part));
  await place(join(n8n, 'dist'), join('n8n', 'dist'));
  await place(join(await mcpFolder(), 'dist'), join('mcp', 'dist'));
  await place(join(await sdkFolder(), 'dist'), join('sdk', 'dist'));
  // Each in a folder of its own, so that a pipeline finds it without knowing its name.
  await placeFolder(join(root, '.local', 'package'), (copy) => cp(tarball, join(copy, basename(tarball))));
  await placeFolder(join(root, '.local', 'mcp-package'), async (copy) => {
    await cp(mcp, join(copy, basename(mcp)));
    await cp(join(await mcpFolder(), bundleName), join(copy, bundleName));
  });
  await placeFolder(join(root, '.local', 'sdk-package'), (copy) => cp(sdk, join(copy, basename(sdk))));
  console.log(`\nZapier archive: ${join('zapier', 'build', 'build.zip')}`);
  console.log(`n8n package:    ${join('.local', 'package', basename(tarball))} (or \`npm pack\` in n8n/)`);
  console.log(`MCP server:     ${join('.local', 'mcp-package', basename(mcp))} (or \`npm pack\` in mcp/)`);
  console.log(`For developers: ${join('.local', 'sdk-package', basename(sdk))} (or \`npm pack\` in sdk/)`);
});
