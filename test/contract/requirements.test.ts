import { core } from './platforms/core.ts';
import { mcp } from './platforms/mcp.ts';
import { n8n } from './platforms/n8n.ts';
import { realN8n } from './platforms/realN8n.ts';
import { sdk } from './platforms/sdk.ts';
import { zapierSources } from './platforms/zapierSources.ts';
import { whyNot } from './platform.ts';
import { requirements } from './suite.ts';

it('every requirement has an id of its own, which says what it is about, when, and what has to come of it', () => {
  const ids = requirements.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const id of ids) expect(id).toMatch(/^[\w.]+:[^:]+:[^:]+$/);
});

it('every requirement applies to at least two platforms, otherwise it does not belong in a contract', () => {
  const meetIt = (requirement: (typeof requirements)[number]) =>
    [core, n8n, realN8n, mcp, sdk, zapierSources].filter((platform) => whyNot(requirement, platform) === undefined);
  expect(requirements.filter((requirement) => meetIt(requirement).length < 2)).toEqual([]);
});
