import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import * as z from 'zod/v4';
import { mustRun } from '../../process/command.ts';
import { root } from '../../root.cjs';

const Tools = z.looseObject({ devDependencies: z.record(z.string(), z.string()), overrides: z.record(z.string(), z.unknown()) });
const Compiler = z.object({ compilerOptions: z.looseObject({}) });

/** Takes the place of a dependency of n8n's tool. */
const stub = '@n8n/ai-node-sdk';

/** What the package needs to build, lint and scan by itself, in the versions that this project tests with. */
const tools = [
  '@n8n/node-cli',
  '@n8n/scan-community-package',
  '@types/luxon',
  '@types/node',
  'esbuild',
  'eslint',
  'luxon',
  'n8n-workflow',
  'typescript',
  'zod',
];

const build = `import { outputSchemas } from '../adapter/outputSchemas.ts';
import { buildPackage } from './package.mts';

await buildPackage(process.cwd(), outputSchemas());
`;

/** What its `engines` ask for. */
const oldestNode = 24;

/**
 * n8n's own tool depends on its kit for AI nodes: hundreds of packages that nothing here uses and that some registries lack. Only overrides
 * can leave them out, but n8n refuses a manifest with overrides. So the manifest has them only during the installation.
 */
const install = (overrides: object): string => `import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

// The build reads TypeScript as it is. npm would only warn.
if (Number(process.versions.node.split('.')[0]) < ${oldestNode}) {
  console.error('You need Node.js ${oldestNode} or newer, and this is ' + process.versions.node + '. Install one, then run the same command again.');
  process.exit(1);
}

const overrides = ${JSON.stringify(overrides, null, 2)};
const stub = { '${stub}': 'file:scripts/ai-node-sdk' };

const manifest = readFileSync('package.json', 'utf8');
// Ctrl-C ends npm, but this process continues, to restore the manifest.
process.on('SIGINT', () => undefined);
try {
  const own = JSON.parse(manifest);
  writeFileSync('package.json', JSON.stringify({ ...own, devDependencies: { ...own.devDependencies, ...stub }, overrides }, null, 2) + '\\n');
  // Exactly the lock file, or what it is called with: \`node scripts/install.mjs install\` after a change of the tools.
  execSync('npm ' + (process.argv.slice(2).join(' ') || 'ci'), { stdio: 'inherit' });
} finally {
  writeFileSync('package.json', manifest);
}
`;

const scan = `import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

for (const [what, patterns] of [['source', SOURCE_FILE_PATTERNS], ['build', ['dist/**/*.js', 'package.json']]]) {
  const { passed, message, details } = await analyzePackage(process.cwd(), patterns);
  if (!passed || message !== undefined) throw new Error(\`The scan of the \${what} found: \${details ?? message}\`);
}
console.log('The scan found nothing.');
`;

const contributing = `# Contributing

With Node.js ${oldestNode} or newer:

\`\`\`sh
node scripts/install.mjs
npm run build
npm run types
npm run lint
npm run scan
\`\`\`

Plain \`npm install\` also fetches n8n's kit for AI nodes, which nothing here uses and which takes npm very long. \`scripts/install.mjs\` leaves it out.

\`shared/\` and \`README.md\` come from the project that this package was split from. Change them there, and split again.

To publish, push a tag \`v<version>\`. It starts \`.github/workflows/publish.yml\`.
`;

/**
 * The pipeline of the split repository. A job that installs or builds cannot publish. The job that publishes does neither: it takes what
 * was built and checks it.
 */
export const publishPipeline = `name: Publish

on:
  push:
    tags: ['v[0-9]+.[0-9]+.[0-9]+']

permissions: {}

jobs:
  build:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      contents: read
    outputs:
      checksums: \${{ steps.pack.outputs.checksums }}
    steps:
      - uses: actions/checkout@93cb6efe18208431cddfb8368fd83d5badbf9bfd # v5.0.1
        with:
          persist-credentials: false
      - &node
        uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with:
          node-version: 24
          package-manager-cache: false
      - name: The tag names the version
        env:
          TAG: \${{ github.ref_name }}
        run: node -e "const { version } = require('./package.json'); if ('v' + version !== process.env.TAG) throw new Error('package.json has ' + version + ', the tag is ' + process.env.TAG);"
      - run: node scripts/install.mjs
      - run: npm run build
      - run: npm run types
      - run: npm run lint
      - run: npm run scan
      - name: What is published, and its checksum
        id: pack
        run: |
          mkdir release
          npm pack --pack-destination release
          cd release
          { echo 'checksums<<END'; sha256sum *; echo 'END'; } >> "$GITHUB_OUTPUT"
      - uses: actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0
        with:
          name: release
          path: release/
          if-no-files-found: error

  publish:
    needs: build
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      # The registry trusts this pipeline by its identity, and the provenance names it: no token is stored.
      id-token: write
    steps:
      - *node
      - uses: actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1
        with:
          name: release
          path: release
      - name: It is what was built
        env:
          CHECKSUMS: \${{ needs.build.outputs.checksums }}
        run: printf '%s\\n' "$CHECKSUMS" | sha256sum --check --strict
        working-directory: release
      - run: npm publish ./*.tgz --provenance --access public --ignore-scripts
        working-directory: release
`;

/**
 * Writes the n8n package as a repository of its own: its sources, the core that they use, and the scripts that build, lint, scan and
 * publish it.
 *
 * @param folder where to write; files of an earlier split are replaced, and all others (its .git, its own files) are kept
 */
export async function splitN8n(folder: string): Promise<void> {
  for (const part of ['nodes', 'credentials', 'adapter', 'icons', 'examples', 'shared', 'scripts'])
    await rm(join(folder, part), { recursive: true, force: true });
  for await (const file of glob(['{nodes,credentials,adapter,icons,examples}/**/*.*', 'README.md', 'eslint.config.mjs'], {
    cwd: join(root, 'n8n'),
  }))
    await copy(join('n8n', file), folder, file);
  // What is not a node is .mts there, so that n8n's rules for nodes do not apply to it. Bundled into the build, it is scanned as well.
  for await (const file of glob('shared/**/*.ts', { cwd: root })) await copy(file, folder, file.replace(/ts$/, 'mts'));
  for (const file of ['brand.json', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md']) await copy(file, folder, file);
  await copy(join('tools', 'build', 'n8nPackage.ts'), folder, 'scripts/package.mts');

  await write(folder, 'package.json', await manifest());
  await write(folder, 'tsconfig.json', await tsconfig());
  await write(folder, 'scripts/install.mjs', install((await ofProject()).overrides));
  await cp(join(root, 'tools', 'stubs', 'ai-node-sdk'), join(folder, 'scripts', 'ai-node-sdk'), { recursive: true });
  await write(folder, 'CONTRIBUTING.md', contributing);
  await write(folder, 'scripts/build.mjs', build);
  await write(folder, 'scripts/scan.mjs', scan);
  await write(folder, '.github/workflows/publish.yml', publishPipeline);
  // None of the installed tools needs to be compiled for these tasks.
  await write(folder, '.npmrc', 'ignore-scripts=true\n');
  // Of the project's own lock file, what these tools need.
  await cp(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  await mustRun(
    process.execPath,
    ['scripts/install.mjs', 'install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund'],
    { cwd: folder },
  );
  await write(folder, '.gitignore', 'node_modules/\ndist/\ndist.partial/\n*.tgz\nrelease/\n');
}

/** Copies a text, with the core one folder nearer. Links that would lead nowhere become plain text. */
async function copy(from: string, folder: string, to: string): Promise<void> {
  const source = join(root, from);
  if (/\.md$|ts$/.test(to)) await write(folder, to, changes[extname(to)]?.(await readFile(source, 'utf8')) ?? '');
  else await cp(source, join(folder, to), { recursive: true });
}

const changes: Record<string, (text: string) => string> = {
  '.ts': (text) => text.replaceAll(/'\.\.\/((?:\.\.\/)+shared\/[^']+)\.ts'/g, "'$1.mts'"),
  // A type parameter of an arrow function needs a comma in such a file.
  '.mts': (text) => text.replaceAll(/(?<=from '\.[^']+\.)ts(?=')/g, 'mts').replaceAll(/(?<== )<(\w+)>\(/g, '<$1,>('),
  '.md': (text) => text.replaceAll(/\[([^\]]+)\]\((?!https?:|#|examples\/)[^)]*\)/g, '$1'),
};

const json = async (...file: string[]): Promise<unknown> => JSON.parse(await readFile(join(root, ...file), 'utf8'));
const printed = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const ofProject = async () => Tools.parse(await json('package.json'));

async function manifest(): Promise<string> {
  const { devDependencies } = await ofProject();
  const pinned = Object.fromEntries(tools.map((name) => [name, devDependencies[name]]));
  const scripts = { build: 'node scripts/build.mjs', types: 'tsc', lint: 'n8n-node lint', scan: 'node scripts/scan.mjs' };
  const own = (await json('n8n', 'package.json')) as object;
  return printed({ ...own, engines: { node: `>=${oldestNode}` }, scripts, devDependencies: pinned });
}

async function tsconfig(): Promise<string> {
  const { compilerOptions } = Compiler.parse(await json('tsconfig.json'));
  return printed({
    compilerOptions: { ...compilerOptions, types: ['node'], paths: undefined },
    include: ['nodes', 'credentials', 'adapter'],
  });
}

async function write(folder: string, file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}
