/** `npm run build`: builds the Zapier archive, the packages for n8n, agents, operators and developers, and the sandbox, for publishing. */
import { cp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { builtFolder, builtPackage, bundleName } from '../build/products.ts';
import { namesIn, runProgram } from '../commandLine/command.ts';
import { root } from '../root.cjs';
import { Progress } from '../start/progress.ts';

const command = {
  name: 'npm run build',
  does: 'builds the Zapier archive, the packages for n8n, agents, operators and developers, and the sandbox, and prints where they are.',
  options: {},
  words: { value: '<part>', says: 'Only these of zapier, n8n, mcp, hosted, sdk and sandbox.' },
  examples: [
    ['npm run build', 'Everything that ships.'],
    ['npm run build -- sdk', 'Only the package for developers.'],
  ],
} as const;

/** Copies a product to where people and the platforms' tools look for it. @param where a path in the project */
async function place(made: string, ...where: string[]): Promise<void> {
  await rm(join(root, ...where), { recursive: true, force: true });
  await cp(made, join(root, ...where), { recursive: true });
}

/** The packages. Each is copied to a folder below .local/, where a pipeline finds it without knowing its name. */
const packages = [
  { part: 'n8n', what: 'the n8n package', shown: 'n8n package' },
  { part: 'mcp', what: 'the MCP server', shown: 'MCP server' },
  { part: 'hosted', what: 'the MCP server for many users', shown: 'For many users' },
  { part: 'sdk', what: 'the package for developers', shown: 'For developers' },
  { part: 'sandbox', what: 'the sandbox', shown: 'Sandbox' },
] as const;

await runProgram(command, async ({ words }) => {
  const wanted = namesIn(words, ['zapier', ...packages.map(({ part }) => part)], 'part');
  const progress = new Progress();
  const lines: string[] = [];
  if (wanted.includes('zapier')) {
    const zapier = await progress.step('the Zapier archive', () => builtFolder('zapier'));
    for (const part of ['dist', 'build']) await place(join(zapier, part), 'zapier', part);
    lines.push(`Zapier archive: ${join('zapier', 'build', 'build.zip')}`);
  }
  for (const { part, what, shown } of packages.filter((each) => wanted.includes(each.part))) {
    const { tarball } = await progress.step(what, () => builtPackage(part));
    const made = dirname(tarball);
    await place(join(made, 'dist'), part, 'dist');
    await cp(join(root, 'LICENSE'), join(root, part, 'LICENSE'));
    const ready = join('.local', part === 'n8n' ? 'package' : `${part}-package`);
    await rm(join(root, ready), { recursive: true, force: true });
    for (const file of part === 'mcp' ? [tarball, join(made, bundleName)] : [tarball]) await cp(file, join(root, ready, basename(file)));
    lines.push(`${`${shown}:`.padEnd(16)}${join(ready, basename(tarball))} (or \`npm pack\` in ${part}/)`);
  }
  console.log(`\n${lines.join('\n')}`);
});
