import { appendFile, cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { builtPackage, builtFolder } from '../../tools/build/products.ts';
import { localFolder, mustRun } from '../../tools/process/command.ts';
import { majors } from '../support/node.ts';
import { root } from '../../tools/root.cjs';
import { parseForm, startSandbox } from '../../sandbox/service.ts';
import { Reader } from '../support/reader.ts';
import { commandBlocks } from './guides.ts';

/** These have tests of their own, which run them. */
const ownTest =
  /^(npm (start|test.*|run (test:fast|check|build( -- sdk)?|start:queue -- --once|try:zapier|split-n8n -- --to \S+|sandbox( -- --(redirect|forward) \S+)?))|cp -R examples\/custom-app \S+)$/;

/** How the others are run here, by how they begin. */
const ways: { matches: RegExp; run: (command: string) => Promise<void> }[] = [
  {
    // Beside a project that holds the build's output, and offline, so that nothing else is downloaded, least of all a second n8n.
    matches: /^mkdir -p ~\/\.n8n\/nodes && npm install /,
    run: async (command) => {
      const project = await mkdtemp(join(tmpdir(), 'a project '));
      const tarball = (await builtPackage('n8n')).tarball;
      await cp(tarball, join(project, '.local', 'package', basename(tarball)));
      // n8n 2 itself needs Node.js 22 or newer.
      const reader = await Reader.with(Number(process.versions.node.split('.')[0]));
      await reader.must(command, project);
      const installed = await readdir(join(reader.home, '.n8n', 'nodes', 'node_modules'));
      expect(installed.filter((name) => !name.startsWith('.'))).toEqual([`n8n-nodes-${brand.slug}`]);
      await reader.close();
      await rm(project, { recursive: true });
    },
  },
  {
    matches: /^curl .*127\.0\.0\.1:4010\/host\/api/,
    run: async (command) => {
      const sandbox = await startSandbox();
      const printed = await mustRun('bash', ['-c', command.replace('4010', new URL(sandbox.origin).port)], { cwd: root });
      expect([printed.includes('error'), sandbox.faults.waiting().length]).toEqual([false, command.includes(' -d ') ? 1 : 0]);
      await sandbox.stop();
    },
  },
  {
    // The command itself has tests of its own. Its forms have to exist.
    matches: /^npm run sandbox -- --form /,
    run: async (command) => {
      for (const [, form = ''] of command.matchAll(/--form (\S+)/g)) expect(() => parseForm(form)).not.toThrow();
    },
  },
  {
    // The sources may be here without their history.
    matches: /^git grep -nw G\d+ /,
    run: async (command) => {
      const listed = await mustRun('bash', ['-c', command.replace('grep', 'grep --no-index')], { cwd: root });
      for (const place of ['shared/reading/', 'shared/assumptions.json', 'test/shared/']) expect(listed).toContain(place);
    },
  },
];

/** Each command once, listed under the first document that has it. */
const runnable = commandBlocks
  .filter(({ notRun }) => notRun === undefined)
  .flatMap(({ path, commands }) => commands.map((command) => ({ path, command })))
  .filter(({ command }, index, all) => !ownTest.test(command) && all.findIndex((each) => each.command === command) === index);

it.each(runnable)('$path: $command', async ({ command }) => {
  const way = ways.find(({ matches }) => matches.test(command));
  if (way === undefined) throw new Error(`Nobody knows how to run '${command}' here: add a way, or say above its block why it is not run.`);
  await way.run(command);
});

// The tool itself needs Node.js 22. npx runs it with the one that the project brings.
test("Zapier's own tool, with the oldest Node.js, checks the app and names the connected account, as the guide shows it", async () => {
  const reader = await Reader.with(majors[0] ?? 0);
  const sandbox = await startSandbox();
  // A copy, because the tool keeps the connection in a file there, and must not touch a developer's own.
  const copy = await localFolder('zapier-releases-');
  try {
    const folder = join(copy, 'zapier');
    await cp(await builtFolder('zapier'), folder, { recursive: true });
    await symlink(join(root, 'tools'), join(copy, 'tools'), 'junction');
    const { access_token: access, refresh_token: refresh } = sandbox.issueToken();
    const { id, secret } = sandbox.client;
    const kept = `CLIENT_ID='${id}'\nCLIENT_SECRET='${secret}'\nBASE_URL='${sandbox.baseUrl}'\nauthData_access_token='${access}'\nauthData_refresh_token='${refresh}'\n`;
    await appendFile(join(folder, '.env'), kept);
    const wanted = commandBlocks
      .filter((block) => block.path === 'docs/provider/zapier.md')
      .flatMap(({ commands }) => commands)
      .filter((line) => /^export |validate |auth label$/.test(line));
    expect(wanted).toHaveLength(3);
    const printed = await reader.must(wanted.join(' && '), folder);
    expect(printed).toContain(`${sandbox.account.name} (${sandbox.account.email})`);
  } finally {
    await sandbox.stop();
    await rm(copy, { recursive: true, force: true });
    await reader.close();
  }
});
