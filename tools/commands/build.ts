/** `npm run build`: the Zapier archive, the packages for n8n, for agents and for developers, and the sandbox, ready to be published. */
import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bundleName } from '../build/names.ts';
import {
  mcpFolder,
  n8nFolder,
  n8nTarball,
  packedMcp,
  packedSandbox,
  packedSdk,
  sandboxFolder,
  sdkFolder,
  zapierFolder,
} from '../build/products.ts';
import { runProgram } from '../commandLine/command.ts';
import { root } from '../root.cjs';
import { Progress } from '../start/progress.ts';

const command = {
  name: 'npm run build',
  does: 'builds the Zapier archive, the packages for n8n, agents and developers, and the sandbox, and prints where they are.',
  options: {},
  examples: [['npm run build', 'Everything that ships.']],
} as const;

/** Copies a product to the place where people and the platforms' tools look for it. @param where within the project */
async function place(made: string, ...where: string[]): Promise<void> {
  await rm(join(root, ...where), { recursive: true, force: true });
  await cp(made, join(root, ...where), { recursive: true });
}

/** In an emptied folder of its own, so that a pipeline finds it without knowing its name. */
async function placeAlone(folder: string, ...files: string[]): Promise<void> {
  await rm(join(root, '.local', folder), { recursive: true, force: true });
  for (const file of files) await cp(file, join(root, '.local', folder, basename(file)));
}

await runProgram(command, async () => {
  const progress = new Progress();
  const [n8n, tarball] = await progress.step('the n8n package', async () => [await n8nFolder(), await n8nTarball()] as const);
  const zapier = await progress.step('the Zapier archive', zapierFolder);
  const { tarball: mcp } = await progress.step('the MCP server', packedMcp);
  const { tarball: sdk } = await progress.step('the package for developers', packedSdk);
  const { tarball: sandbox } = await progress.step('the sandbox', packedSandbox);
  for (const part of ['dist', 'build']) await place(join(zapier, part), 'zapier', part);
  await place(join(n8n, 'dist'), 'n8n', 'dist');
  await place(join(await mcpFolder(), 'dist'), 'mcp', 'dist');
  await place(join(await sdkFolder(), 'dist'), 'sdk', 'dist');
  await place(join(await sandboxFolder(), 'dist'), 'sandbox', 'dist');
  for (const folder of ['n8n', 'mcp', 'sdk', 'sandbox']) await cp(join(root, 'LICENSE'), join(root, folder, 'LICENSE'));
  await placeAlone('package', tarball);
  await placeAlone('mcp-package', mcp, join(await mcpFolder(), bundleName));
  await placeAlone('sdk-package', sdk);
  await placeAlone('sandbox-package', sandbox);
  console.log(`\nZapier archive: ${join('zapier', 'build', 'build.zip')}`);
  console.log(`n8n package:    ${join('.local', 'package', basename(tarball))} (or \`npm pack\` in n8n/)`);
  console.log(`MCP server:     ${join('.local', 'mcp-package', basename(mcp))} (or \`npm pack\` in mcp/)`);
  console.log(`For developers: ${join('.local', 'sdk-package', basename(sdk))} (or \`npm pack\` in sdk/)`);
  console.log(`Sandbox:        ${join('.local', 'sandbox-package', basename(sandbox))} (or \`npm pack\` in sandbox/)`);
});
