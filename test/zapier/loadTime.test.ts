import { zapierZip } from '../../scripts/bundle/products.ts';
import { measureLoadTime } from '../../scripts/zapier/loadTime.ts';

test("the app's own code, zod included, adds at most a tenth to the time in which the platform alone loads", async () => {
  const { share } = await measureLoadTime(await zapierZip(), { wanted: 0.1 });
  expect(share).toBeGreaterThan(0);
  expect(share).toBeLessThanOrEqual(0.1);
}, 300_000);
