import { readFileSync } from 'node:fs';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds in a page's current state. It must have checked the colours, because a run that checks nothing finds nothing. The rest of
 * the report stays in the page: it lists every element, and transferring it takes more processor time than creating it.
 */
export async function axeFindings(page: Page): Promise<unknown[]> {
  await page.evaluate(axe);
  const run = `axe.run({ resultTypes: ['violations'] })`;
  const { violations, passed } = await page.evaluate<{ violations: Result[]; passed: string[] }>(
    `${run}.then(({ violations, passes }) => ({ violations, passed: passes.map(({ id }) => id) }))`,
  );
  if (!passed.includes('color-contrast')) throw new Error('axe has not checked the colours.');
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary]);
}
