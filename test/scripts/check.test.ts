import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../scripts/command.ts';
import { root } from '../../scripts/root.cjs';

jest.setTimeout(240_000);

const check = (folder: string, ...words: string[]) => runCommand(process.execPath, [join(folder, 'scripts', 'check.ts'), ...words], { cwd: folder });

describe('npm run check', () => {
  it('finds nothing: types, boundaries, n8n\'s linter and scan of source and tarball, no zod and no dependencies, Zapier\'s schema', async () => {
    const { code, output } = await check(root);
    expect(output).not.toContain('FAILED');
    expect(code).toBe(0);
  });

  describe('in a copy with one thing wrong', () => {
    let folder: string;
    const parts = ['shared', 'zapier', 'n8n', 'scripts', 'brand.json', 'package.json', 'tsconfig.json', 'eslint.config.mjs'];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'check-'));
      // Without what is built there: `npm run build` may be at it.
      for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true, filter: (file) => !/[\\/](dist|build|node_modules)$/.test(file) });
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it.each([
      ['a wrong type', 'types', 'shared/wrong.ts', () => 'export const count: number = "one";\n', /shared\/wrong\.ts.*TS2322/],
      ['an import against the direction', 'lint', 'shared/wrong.ts', () => "export { credentialType } from '../n8n/adapter/identity.ts';\n", /shared\/ does not import n8n\/adapter\/identity\.ts/],
      ['a platform reached for in the core', 'lint', 'shared/wrong.ts', () => 'export const now = () => process.uptime();\n', /shared\/ knows no platform/],
      ["the service's name written down", 'lint', 'zapier/adapter/wrong.ts', (brand: string) => `export const title = 'Welcome to ${brand}';\n`, /names the service: read it from the brand/],
      ['a credential without an icon', "n8n's own linter", 'n8n/credentials/SchedulerOAuth2Api.credentials.ts', (_: string, now: string) => now.replace(/icon = .*;/, ''), /icon-missing/],
      ['a timer in the n8n source', 'of the source', 'n8n/nodes/Scheduler/Scheduler.node.ts', (_: string, now: string) => `${now}\nsetTimeout(() => undefined, 1);\n`, /setTimeout/],
      ['a console in what n8n users install', 'of the packed tarball', 'n8n/adapter/identity.ts', (_: string, now: string) => `${now}\nconsole.log(1);\n`, /console/],
      ['zod bundled into what n8n users install', 'carries no zod', 'scripts/bundle/n8nPackage.ts', (_: string, now: string) => now.replace("'zod/v4', ", ''), /zod is bundled into dist/],
      ['a dependency of what n8n users install', 'depends on nothing', 'n8n/package.json', (_: string, now: string) => now.replace('{', '{ "dependencies": { "zod": "3.25.76" },'), /depends on zod/],
      ['a trigger that Zapier\'s schema refuses', "Zapier's schema", 'zapier/adapter/names.ts', (_: string, now: string) => now.replace('resources[resource].label', "''"), /noun/i],
    ])('reports %s', async (_, step, file, write, complaint) => {
      const path = join(folder, file);
      const before = await readFile(path, 'utf8').catch(() => undefined);
      const { name } = JSON.parse(await readFile(join(root, 'brand.json'), 'utf8')) as { name: string };
      const wrong = write(name, before ?? '');
      // What is replaced may have moved: then nothing is wrong, and the check would be blamed for seeing nothing.
      expect(wrong).not.toBe(before);
      await writeFile(path, wrong);
      try {
        const { code, output } = await check(folder, step);
        expect(output).toMatch(complaint);
        expect(code).toBe(1);
      } finally {
        if (before === undefined) await rm(path);
        else await writeFile(path, before);
      }
    });
  });
});
