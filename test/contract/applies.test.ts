import { operations, searches } from '../../shared/operations/index.ts';
import type { Platform } from './platform.ts';
import { core } from './platforms/core.ts';
import { mcp } from './platforms/mcp.ts';
import { mcpProgram } from './platforms/mcpProgram.ts';
import { n8n } from './platforms/n8n.ts';
import { realN8n } from './platforms/realN8n.ts';
import { sdk } from './platforms/sdk.ts';
import { zapier } from './platforms/zapier.ts';
import { zapierSources } from './platforms/zapierSources.ts';
import { nameOf, whyNot } from './requirement.ts';
import { requirements } from './suite.ts';

/** What a requirement is about. `create:answer-lost` stands for all requirements that begin with it. */
const about = (id: string): string =>
  id
    .split(':')
    .slice(0, 2)
    .join(':')
    .replace(/\(.*\)/, '');

/** The requirements that do not apply to a platform, in addition to the operations that it does not offer. */
const exceptions = (platform: Platform): string[] => {
  const offered = [...operations, ...searches].filter((operation) => platform.offers(operation));
  const others = requirements.filter(({ uses = [] }) => uses.every((operation) => offered.includes(operation)));
  return [...new Set(others.filter((requirement) => whyNot(requirement, platform) !== undefined).map(({ id }) => about(id)))].sort();
};

const heldAgainstTheCore = (platform: Platform): string[] =>
  [...operations, ...searches]
    .filter((operation) => platform.offers(operation))
    .flatMap((operation) => [`${nameOf(operation)}:required-fields`, `${nameOf(operation)}:every-field`]);

const simplified = requirements.filter(({ id }) => id.includes(':simplified:')).map(({ id }) => about(id));
const whole = requirements.filter(({ id }) => id.includes(':record:')).map(({ id }) => about(id));
const ofDeliveries = requirements.filter(({ id }) => /^(delivery|listen):/.test(id)).map(({ id }) => about(id));

/** The rest, platform by platform. If you take an ability away from a platform, this shows what no longer has to hold for it. */
const rest: readonly (readonly [Platform, readonly string[]])[] = [
  [
    core,
    [
      ...heldAgainstTheCore(core),
      ...simplifiedBy(core),
      'refusal:400',
      'refusal:401',
      'refusal:403',
      'refusal:404',
      'refusal:409',
      'refusal:422',
      'refusal:429',
    ],
  ],
  [n8n, ['refusal:401', 'start:no-offset-and-no-zone']],
  [
    realN8n,
    [
      'delivery:secret-not-known',
      'form:required-field-empty',
      'questions:a-choice-that-is-not-listed',
      'questions:required-one-unanswered',
      'start:no-offset-and-no-zone',
    ],
  ],
  [
    mcp,
    [
      ...ofDeliveries,
      ...simplifiedBy(mcp),
      ...whole,
      'form:number-beyond-2^53-as-id',
      'questions:answer-left-from-another-type',
      'refusal:401',
      'start:no-offset',
    ],
  ],
  [sdk, [...simplified, 'questions:answer-left-from-another-type']],
  [
    zapierSources,
    [
      ...simplifiedBy(zapierSources),
      'delivery:stale',
      'form:required-field-empty',
      'questions:required-one-unanswered',
      'refusal:401',
      'start:no-offset',
      'start:no-offset-and-no-zone',
    ],
  ],
];

function simplifiedBy({ offers }: Platform): string[] {
  return [...operations, ...searches]
    .filter(offers)
    .map((operation) => `${nameOf(operation)}:simplified`)
    .filter((id) => simplified.includes(id));
}

it.each(rest.map(([platform, ids]) => [platform.name, platform, ids] as const))('what does not apply to %s', (_, platform, ids) => {
  expect(exceptions(platform)).toEqual([...new Set(ids)].sort());
});

it('every requirement has an id of its own, which says what it is about, when, and what has to come of it', () => {
  const ids = requirements.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const id of ids) expect(id).toMatch(/^[\w.]+:[^:]+:[^:]+$/);
});

it.each([
  { built: mcpProgram, sources: mcp },
  { built: zapier, sources: zapierSources },
])('$built.name meets the same requirements as $sources.name', ({ built, sources }) => {
  expect(exceptions(built)).toEqual(exceptions(sources));
});

it('every requirement applies to at least two platforms, otherwise it does not belong in a contract', () => {
  const platforms = rest.map(([platform]) => platform);
  for (const requirement of requirements)
    expect([requirement.id, platforms.filter((platform) => whyNot(requirement, platform) === undefined).length > 1]).toEqual([
      requirement.id,
      true,
    ]);
});
