/**
 * `npm run brand`: replaces the current brand with the one in `brand.json` in every file of this checkout: packages, documents, workflows,
 * pipelines, golden definitions. The current brand is in tools/build/brand/applied.json.
 */
import { glob, readFile, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import * as z from 'zod/v4';
import { brand } from '../../shared/brand.ts';
import { rebrand, type Worn } from '../build/brand/replace.ts';
import { stampMcp } from '../build/mcpStamps.ts';
import { stampN8n } from '../build/n8nStamps.ts';
import { stampSdk } from '../build/sdkStamps.ts';
import { carryOutCommand } from '../commandLine/command.ts';
import { mustRun } from '../process/command.ts';
import { root } from '../root.cjs';
import { Progress } from '../start/progress.ts';

const command = {
  name: 'npm run brand',
  does: 'renames everything to the name in brand.json: documents, manifests, workflows and golden files.',
  options: {},
  examples: [['npm run brand', 'After you have edited brand.json. Then look at `git diff`.']],
} as const;

const Applied = z.object({ name: z.string(), slug: z.string(), baseUrl: z.url(), headerPrefix: z.string(), docsUrl: z.url() });

const appliedFile = join(root, 'tools', 'build', 'brand', 'applied.json');

/** Sources are not included: they read the brand, and lint makes sure that none contains it. */
const texts = new Set(['.md', '.json', '.yml', '.yaml', '.svg']);
/** Except for the examples, which import the package by its name, as any application that copies them does. */
const isText = (file: string): boolean =>
  texts.has(extname(file)) || (extname(file) === '.ts' && relative(root, file).replaceAll('\\', '/').startsWith('examples/'));
const folders = '{.github,docs,n8n,zapier,mcp,sdk,test,examples,sandbox,bench,tools}/**/*';
const notOurs = /(^|\/)(node_modules|dist|coverage|\.local)(\/|$)|^zapier\/build(\/|$)/;

const isNotOurs = (path: string): boolean => notOurs.test(relative(root, path).replaceAll('\\', '/'));

await carryOutCommand(command, async () => {
  const worn = Applied.parse(JSON.parse(await readFile(appliedFile, 'utf8')));
  const wanted: Worn = Applied.parse(brand);
  const progress = new Progress();
  const changed = await progress.step(`the name ${wanted.name} is in every file`, () => renamed(worn, wanted));
  // Files that are generated from the brand are generated again: a list may be in a different order under another name.
  await progress.step('the generated documents have it', async (say) => {
    const started = performance.now();
    const ticker = setInterval(() => say(`${Math.round((performance.now() - started) / 1000)} s`), 1000);
    try {
      await stampN8n();
      await stampMcp();
      await stampSdk();
      await mustRun(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', join(root, 'tools', 'commands', 'docs.ts')], {
        cwd: root,
      });
    } finally {
      clearInterval(ticker);
    }
  });
  console.log(
    changed.length === 0
      ? `Every file already has the name ${wanted.name}.`
      : `${changed.length} files now have the name ${wanted.name}:\n${changed
          .sort()
          .map((file) => `  ${file}`)
          .join('\n')}\nNow run \`npm run check\` and \`npm test\`, and review the changes before you commit.`,
  );
});

/** Replaces one name with another in every text. @returns the files that changed, from the project's root */
async function renamed(worn: Worn, wanted: Worn): Promise<string[]> {
  const changed: string[] = [];
  for await (const entry of glob([folders, '*.md', 'tsconfig.json'], {
    cwd: root,
    withFileTypes: true,
    exclude: ({ parentPath, name }) => isNotOurs(join(parentPath, name)),
  })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !isText(file) || isNotOurs(file) || entry.name === 'package-lock.json') continue;
    const before = await readFile(file, 'utf8');
    const after = rebrand(before, worn, wanted, { quoted: extname(entry.name) === '.json' });
    if (after === before) continue;
    await writeFile(file, after);
    changed.push(relative(root, file));
  }
  return changed;
}
