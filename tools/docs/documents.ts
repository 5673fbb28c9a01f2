import { openApiDocument } from '../../sandbox/openapi/document.ts';
import { eventRows, isEventName } from '../../shared/events.ts';
import zapierApp from '../../zapier/app.ts';
import { assumptionsPage } from './assumptions.ts';
import { fieldsPage } from './fields.ts';
import { limitsPage } from './limits.ts';
import { packageReference } from './packageReference.ts';
import { scopesPage } from './scopes.ts';
import { triggerFile, triggerPage, triggersIndex } from './triggers.ts';
import { troubleshootingPage } from './troubleshooting.ts';
import { walkThroughEvents } from './walk.ts';

/** Every generated document: its path below `docs/` and its text. */
export async function documents(): Promise<Map<string, string>> {
  const examples = await walkThroughEvents();
  const triggers = eventRows.map((row): [string, string] => {
    const example = isEventName(row.name) ? examples.get(row.name) : undefined;
    if (example === undefined) throw new Error(`The sandbox delivered no ${row.name}: its page has no record.`);
    return [`reference/triggers/${triggerFile(row)}`, triggerPage(row, example)];
  });
  const offered = { zapier: new Set([...Object.keys(zapierApp.creates ?? {}), ...Object.keys(zapierApp.searches ?? {})]) };
  return new Map([
    ['openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`],
    ['reference/assumptions.md', assumptionsPage()],
    ['reference/fields.md', fieldsPage(offered)],
    ['reference/limits.md', limitsPage()],
    ...[...(await packageReference())].map(([file, text]): [string, string] => [`reference/package/${file}`, text]),
    ['reference/scopes.md', scopesPage()],
    ['reference/triggers/README.md', triggersIndex()],
    ...triggers,
    ['reference/troubleshooting.md', await troubleshootingPage()],
  ]);
}
