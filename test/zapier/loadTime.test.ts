import { zapierZip } from '../../tools/build/products.ts';
import { loadedFiles } from '../../tools/rigs/zapier/loadTime.ts';

// The time it takes is a ratio in the benchmark: npm run bench -- --row cold-start.
test("the archive loads the platform, its wrapper and one file with zod: at most a tenth more than the platform's bytes", async () => {
  const { platform, app } = await loadedFiles(await zapierZip());
  const bytes = (files: Record<string, number>) => Object.values(files).reduce((sum, size) => sum + size, 0);
  expect(Object.keys(app).sort()).toEqual(['dist/index.js', 'zapierwrapper.js']);
  expect(bytes(app)).toBeGreaterThan(10_000);
  expect(bytes(app)).toBeLessThanOrEqual(bytes(platform) / 10);
}, 300_000);
