import type { Judgement } from '../judge.ts';
import { activate, insist, runNode, type TriggerPlace } from '../platforms/n8n.ts';
import { AFTERMATH_MS } from '../run.ts';
import { pathOf, type Wire, type WireRequest } from '../wire.ts';
import { delayed, fated, fine, itemsTold, surroundings, worst, type Fate, type Situation, type Stage } from './stage.ts';

const events = ['BOOKING_CREATED'];

const fates: readonly [Fate, ...Fate[]] = [
  'ok',
  'ok',
  'ok',
  'reset-before',
  'drop-after',
  'stall-after',
  '500',
  '500-after',
  'html-200-lost',
  'html-200',
];

const isSubscription = ({ method }: WireRequest, path: string): boolean => method !== 'GET' && path.startsWith('/v1/hooks');

/** Production's database was copied to another machine, where its workflow is published, unpublished, or listened to. */
async function copiedDatabase(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const { sandbox } = world;
  const production: TriggerPlace = { url: `http://localhost:5678/webhook/${tag}/webhook`, events, staticData: {} };
  await activate(surroundings(stage, world.connect(false, luck), delayed(stage, world.wire)), production);
  const kept = sandbox.subscriptions().find(({ url }) => url === production.url);
  if (kept === undefined) return { end: 'lost', why: 'production could not be published' };
  const wire = fated(
    delayed(stage, world.wire),
    stage,
    isSubscription,
    Array.from({ length: luck.below(4) }, () => luck.pick(fates)),
  );
  // Another process, which does not know what the first one remembers of the account.
  const elsewhere = surroundings(stage, world.connect(false, luck), wire);
  const copy: TriggerPlace = {
    url: `http://127.0.0.1:5679/${luck.pick(['webhook', 'webhook', 'webhook-test'])}/${tag}/webhook`,
    events,
    staticData: structuredClone(production.staticData),
  };
  const isPublished = luck.happens(0.7);
  if (isPublished) await activate(elsewhere, copy);
  await time.sleep(AFTERMATH_MS);
  const told = luck.happens(0.7) ? await insist(elsewhere, copy, 'delete') : undefined;
  await time.sleep(AFTERMATH_MS);
  const after = sandbox.subscriptions();
  const isIntact = after.some(({ id, url, active, signed }) => id === kept.id && url === production.url && active && signed);
  const left = after.filter(({ url }) => url === copy.url).length;
  for (const { id } of after.filter(({ url }) => url === copy.url || url === production.url)) sandbox.host.deleteSubscription(id);
  if (!isIntact) return { end: 'stolen', why: "production's subscription was deleted by the copy" };
  if (left > 1) return { end: 'duplicated', why: `the copy has ${left} subscriptions at its address` };
  return told?.outcome === 'failed' && told.defect !== undefined ? { end: 'untyped', why: `${told.defect}: ${told.words}` } : fine;
}

/** Two or three subscriptions are made at one address, while another program also makes some there. */
async function sharedAddress(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const { sandbox } = world;
  const url = `http://localhost:4040/${tag}`;
  const theirs: string[] = [];
  const subscribeElsewhere = (): void => void theirs.push(sandbox.host.addSecretlessSubscription({ url, events: ['CONTACT_UPDATED'] }).id);
  if (luck.happens(0.3)) subscribeElsewhere();
  let left = luck.below(3);
  const wire: Wire = async (request, signal) => {
    const answer = await world.wire(request, signal);
    if (left > 0 && pathOf(request).startsWith('/v1/hooks') && luck.happens(0.4)) {
      left -= 1;
      subscribeElsewhere();
    }
    return answer;
  };
  const count = 1 + luck.below(3);
  const around = surroundings(
    stage,
    world.connect(false, luck),
    fated(
      delayed(stage, wire),
      stage,
      ({ method }, path) => method === 'POST' && path === '/v1/hooks',
      Array.from({ length: 1 + luck.below(3) }, () => luck.pick(fates)),
    ),
  );
  const told = await runNode(
    around,
    Array.from({ length: count }, () => ({ resource: 'subscription', operation: 'create', url, events, simplify: false })),
    { continueOnFail: true, executionId: tag },
  );
  await time.sleep(AFTERMATH_MS);
  const there = sandbox.subscriptions().flatMap((each) => (each.url === url ? [each.id] : []));
  for (const id of there) sandbox.host.deleteSubscription(id);
  const gone = theirs.find((id) => !there.includes(id));
  if (gone !== undefined) return { end: 'stolen', why: `another program's subscription ${gone} was deleted` };
  const items = itemsTold(told, count);
  const ids = items.flatMap((item) => (item.end === 'done' ? [item.id] : []));
  if (new Set(ids).size < ids.length) return { end: 'stolen', why: 'two items were told the same subscription' };
  const missing = ids.find((id) => !there.includes(id));
  if (missing !== undefined) return { end: 'invented', why: `told as made and not there: ${missing}` };
  const unknown = items.filter(({ end }) => end === 'unknown').length;
  const mine = there.length - theirs.length;
  if (mine > ids.length + unknown) return { end: 'lost', why: `${mine} were made, ${ids.length} told as made and ${unknown} as unknown` };
  const misled = items.find((item) => item.end === 'untyped');
  return worst([
    misled !== undefined && misled.end === 'untyped' ? { end: 'untyped', why: misled.words } : fine,
    unknown > 0 ? { end: 'unknown', why: '' } : fine,
  ]);
}

export const subscriptionSituations = {
  'copied-database': { says: 'a copy of the database runs at another address', platforms: ['n8n'], play: copiedDatabase },
  'shared-address': {
    says: 'several subscriptions at one address, another program among those who make them',
    platforms: ['n8n'],
    play: sharedAddress,
  },
} satisfies Record<string, Situation>;
