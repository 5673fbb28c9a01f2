import { zapierZip } from '../../tools/build/products.ts';
import { loadedFiles } from '../../tools/rigs/zapier/loadTime.ts';

// What it costs in time is a ratio of the benchmark's: npm run bench -- --row cold-start.
test("on top of the platform the archive loads its wrapper and one file, zod included: at most a tenth of the platform's bytes", async () => {
  const { platform, app } = await loadedFiles(await zapierZip());
  const bytes = (files: Record<string, number>) => Object.values(files).reduce((sum, size) => sum + size, 0);
  expect(Object.keys(app).sort()).toEqual(['dist/index.js', 'zapierwrapper.js']);
  expect(bytes(app)).toBeGreaterThan(10_000);
  expect(bytes(app)).toBeLessThanOrEqual(bytes(platform) / 10);
}, 300_000);
