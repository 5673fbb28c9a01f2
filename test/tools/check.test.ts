import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import { copyOfSources } from '../support/copyOfSources.ts';

// Two busy processors are slow, and this test is not about time.
jest.setTimeout(60 * 60_000);

const check = (folder: string, ...words: string[]) =>
  runCommand(process.execPath, [join(folder, 'tools', 'commands', 'check.ts'), ...words], { cwd: folder });

// Only the rules that are this project's own: other tools find the rest. CI runs the check itself before the tests.
describe('npm run check', () => {
  describe('in a copy with something wrong in each step', () => {
    let folder: string;
    let output: string;

    type Change = (now: string, serviceName: string) => string;
    /** What is wrong, the step that must report it, where it is, how it gets there, and the message. */
    const wrongs: [what: string, step: string, file: string, change: Change, complaint: RegExp][] = [
      [
        'an import against the direction',
        'lint',
        'shared/wrongImport.ts',
        () => "export { credentialType } from '../n8n/adapter/identity.ts';\n",
        /shared\/ does not import n8n\/adapter\/identity\.ts/,
      ],
      [
        'the inside of the core reached for by a translator',
        'lint',
        'zapier/adapter/wrongInside.ts',
        () => "export { reconcile } from '../../shared/client/reconcile.ts';\n",
        /shared\/client\/reconcile\.ts is internal to the core/,
      ],
      [
        'a platform reached for in the core',
        'lint',
        'shared/wrongReach.ts',
        () => 'export const now = () => process.uptime();\n',
        /shared\/ knows no platform/,
      ],
      [
        "a name of the service's packages written down",
        'lint',
        'zapier/adapter/wrong.ts',
        (_, slug) => `export const title = 'npm install n8n-nodes-${slug}';\n`,
        /names the service: read it from the brand/,
      ],
      [
        'a word that the style page rules out, in a label',
        'words',
        'shared/events.ts',
        (now) => now.replace("'Triggers when a booking is cancelled'", "'Triggers when a booking is cancelled, by e-mail too'"),
        /shared\/events\.ts:\d+ "e-mail": email/,
      ],
      [
        'a generated document edited by hand',
        'generated files',
        'docs/reference/limits.md',
        (now) => `${now}edited`,
        /docs\/reference\/limits\.md is stale/,
      ],
      [
        'a document that no declaration makes',
        'generated files',
        'docs/reference/triggers/booking-forgotten.md',
        () => 'forgotten',
        /booking-forgotten\.md is left over/,
      ],
      [
        'zod bundled into what n8n users install',
        'the n8n package depends on nothing',
        'tools/build/n8nPackage.ts',
        (now) => now.replace("'zod/v4', ", ''),
        /zod is bundled into dist/,
      ],
    ];

    beforeAll(async () => {
      folder = await copyOfSources(['docs', 'sandbox', 'CONTRIBUTING.md', 'README.md']);
      const { slug } = JSON.parse(await readFile(join(root, 'brand.json'), 'utf8')) as { slug: string };
      for (const [, , file, change] of wrongs) await edit(file, (now) => change(now, slug));
      // All other files are checked by CI. Here they would only take time. What the check leaves out, it leaves out here as well.
      await edit('eslint.config.mjs', (now) => now.replace('{ ignores: [', "{ ignores: ['**/*.*', '!**/wrong*.ts', "));
      ({ output } = await check(folder, ...new Set(wrongs.map(([, step]) => step))));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    async function edit(file: string, change: (now: string) => string): Promise<void> {
      const path = join(folder, file);
      const before = await readFile(path, 'utf8').catch(() => '');
      // The replaced text may have moved. Then nothing would be wrong, and the check would be blamed for finding nothing.
      expect(change(before)).not.toBe(before);
      await writeFile(path, change(before));
    }

    it.each(wrongs)('reports %s', (_, step, __, ___, complaint) => {
      // A step's line, and the text below it.
      const said = output.split(/^(?=ok |FAILED)/m).filter((each) => each.split('\n')[0]?.includes(step) === true);
      expect(said.filter((each) => each.startsWith('FAILED')).join('')).toMatch(complaint);
    });
  });
});
