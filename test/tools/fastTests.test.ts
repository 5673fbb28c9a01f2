import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startsPrograms } from '../../tools/jest/startsPrograms.ts';

describe('npm run test:fast leaves out tests that start another program', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'fast-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  let count = 0;
  async function file(text: string): Promise<string> {
    const name = `each${++count}.ts`;
    await writeFile(join(folder, name), text);
    return name;
  }
  const starts = async (text: string): Promise<boolean> => startsPrograms(join(folder, await file(text)));

  test.each([
    ['itself', "import { spawn } from 'node:child_process';"],
    ['by a browser', "import { chromium } from 'playwright-core';"],
    ['by an import over several lines', "import {\n  spawn,\n} from 'node:child_process';"],
    ['by an import that it makes later', "const { spawn } = await import('node:child_process');"],
    ['by handing it on', "export { spawn } from 'node:child_process';"],
  ])('%s', async (_, text) => {
    expect(await starts(text)).toBe(true);
  });

  test('because of a file that it imports, directly or indirectly', async () => {
    const far = await file("import { spawn } from 'node:child_process';");
    const near = await file(`import { each } from './${far}';`);
    expect(await starts(`import type { One } from './nowhere.ts';\nimport { each } from './${near}';`)).toBe(true);
  });

  test('and keeps those that import only types', async () => {
    expect(await starts("import type { ChildProcess } from 'node:child_process';")).toBe(false);
    expect(await starts("import { join } from 'node:path';\nexport const text = \"import 'node:child_process'\";")).toBe(false);
  });
});
