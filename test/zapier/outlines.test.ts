import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';
import { actionsOf, definition, staticInputs, staticOutputs } from './definition.ts';

const text = readFileSync(join(root, 'docs', 'guides', 'zaps.md'), 'utf8');
const [, ...outlines] = text.split(/^## (?=\d+\. )/m).map((part) => part.split(/^## /m)[0] ?? '');

/** What one person reads as the name of a field: words with capitals, or what stands in braces. What other apps call theirs is in italics. */
function fieldsIn(outline: string): string[] {
  const placeholders = [...outline.matchAll(/(?<!\{)\{([A-Z][^{}]*)\}/g)].map(([, name = '']) => name);
  const prose = outline
    .replace(/^.*\n/, '')
    .replaceAll(/\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|"[^"]*"/g, '~')
    .replaceAll(/(?<=^|\. )[A-Z][a-z]+(?=,? [a-z~])/gm, '');
  const word = String.raw`(?:[A-Z][a-z]+|ID)`;
  const named = [...prose.matchAll(new RegExp(`${word}(?: (?:by )?${word})*`, 'g'))].map(([name]) => name);
  return [...placeholders, ...named].filter((name) => name !== 'Zap' && name !== 'ID');
}

test('the Zap outlines are ten, and name only triggers, steps and fields that the app has', async () => {
  const app = await definition();
  const steps = new Map(actionsOf(app).map((action) => [action.display.label, [action]]));
  for (const { display, search, create } of Object.values(app.searchOrCreates))
    steps.set(
      display.label,
      [app.searches[search], app.creates[create]].flatMap((action) => action ?? []),
    );
  expect(outlines).toHaveLength(10);
  for (const outline of outlines) {
    const named = [...outline.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !steps.has(name))).toEqual([]);
    const used = named.flatMap((name) => steps.get(name) ?? []);
    expect(used.length).toBeGreaterThan(0);
    const labels = new Set(used.flatMap((action) => [...staticInputs(action), ...staticOutputs(action)]).map(({ label }) => label));
    expect(fieldsIn(outline).filter((name) => !labels.has(name))).toEqual([]);
  }
});
