import { createHmac } from 'node:crypto';
import { brand } from '../../../shared/brand.ts';
import type { Judgement } from '../judge.ts';
import { receiveDelivery, type TriggerPlace } from '../platforms/n8n.ts';
import { emptyStore, method, runStep } from '../platforms/zapier.ts';
import { both, fine, surroundings, type Situation, type Stage } from './stage.ts';

interface Post {
  /** What the bodies are about. Each is to start one run. */
  event: string;
  body: Buffer;
  secret: string;
  deliveryId: string;
}

const name = (suffix: string): string => `${brand.headerPrefix}-${suffix}`;

const headersOf = ({ body, secret, deliveryId }: Post): Record<string, string> => ({
  'content-type': 'application/json',
  [name('Event')]: 'BOOKING_CREATED',
  [name('Delivery-ID')]: deliveryId,
  [name('Timestamp')]: '2030-01-02T08:00:00Z',
  [name('Signature')]: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

/** Posts to one trigger, and returns the ids of the records that started a run. */
type Receive = (post: Post) => Promise<string[]>;

const perform = method('triggers.booking_created.operation.perform');

/** One user's trigger, with the subscription's secret. */
function receiver(
  stage: Stage,
  { user, subscription, secret, store }: { user: string; subscription: string; secret: string; store: ReturnType<typeof emptyStore> },
): Receive {
  const { world, platform, tag } = stage;
  if (platform === 'n8n') {
    const url = `http://localhost:5678/webhook/${tag}/webhook`;
    const place: TriggerPlace = {
      url,
      events: ['BOOKING_CREATED'],
      staticData: { webhook: { id: subscription, signing_secret: secret, url } },
      workflowId: `workflow of ${user} ${tag}`,
    };
    return async (post) => (await receiveDelivery(place, post.body, headersOf(post))).items.map(({ id }) => id as string);
  }
  const connection = { ...world.connect(false, stage.luck), id: `${user} ${tag}` };
  const around = surroundings(stage, connection, world.wire, store);
  return async (post) => {
    const headers = Object.fromEntries(Object.entries(headersOf(post)).map(([key, value]) => [`Http-${key}`, value]));
    const told = await runStep(around, perform, {
      rawRequest: { method: 'POST', querystring: '', content: post.body.toString('utf8'), headers },
      subscribeData: { id: subscription, signing_secret: secret },
    } as never);
    return told.outcome === 'done' ? (told.value as { id: string }[]).map(({ id }) => id) : [];
  };
}

function postOf(tag: string, number: number, secret: string, deliveryId: string): Post {
  const event = `bkg_${tag}_${number}`;
  return {
    event,
    secret,
    deliveryId,
    body: Buffer.from(
      JSON.stringify({
        event: 'BOOKING_CREATED',
        created_at: new Date(1_900_000_000_000 + number).toISOString(),
        data: { id: event, status: 'CONFIRMED' },
      }),
    ),
  };
}

/** An attacker who has recorded one delivery sends it again under the ids of future deliveries. */
async function foreseenIds(stage: Stage): Promise<Judgement> {
  const { luck, tag } = stage;
  const secret = `whsec_${tag}`;
  const receive = receiver(stage, { user: 'ada', subscription: `sub_${tag}`, secret, store: emptyStore() });
  const genuine = Array.from({ length: 3 + luck.below(5) }, (_, number) => postOf(tag, number, secret, `dlv_${1000 + number}`));
  const recorded = genuine[0] ?? postOf(tag, 0, secret, 'dlv_1000');
  const started = [...(await receive(recorded))];
  for (const { deliveryId } of genuine)
    for (let times = luck.below(3); times >= 0; times -= 1) started.push(...(await receive({ ...recorded, deliveryId })));
  for (const post of genuine.slice(1)) {
    started.push(...(await receive(post)));
    if (luck.happens(0.3)) started.push(...(await receive(post)));
  }
  return judgeStarted(genuine, started);
}

function judgeStarted(genuine: readonly Post[], started: readonly string[]): Judgement {
  const missing = genuine.filter(({ event }) => !started.includes(event));
  if (missing.length > 0) return { end: 'undelivered', why: `${missing.length} of ${genuine.length} genuine deliveries started nothing` };
  const twice = started.find((event, index) => started.indexOf(event) !== index);
  return twice === undefined ? fine : { end: 'duplicated', why: `${twice} started twice` };
}

/** More than a trigger remembers. */
const FLOOD = 21_000;
/** A flood takes a second, so only some runs have one. */
const FLOODS = 0.02;

/** One recorded delivery comes again and again, each time under another id. Then an earlier delivery is repeated. */
async function floodOfReplays(stage: Stage): Promise<Judgement> {
  const { luck, tag } = stage;
  const secret = `whsec_${tag}`;
  const receive = receiver(stage, { user: 'ada', subscription: `sub_${tag}`, secret, store: emptyStore() });
  const [recorded, other] = [postOf(tag, 0, secret, 'dlv_1'), postOf(tag, 1, secret, 'dlv_2')];
  const started = [...(await receive(recorded)), ...(await receive(other))];
  const replays = stage.platform === 'n8n' && luck.happens(FLOODS) ? FLOOD : 20 + luck.below(200);
  for (let count = 0; count < replays; count += 1) started.push(...(await receive({ ...recorded, deliveryId: `dlv_replay_${count}` })));
  started.push(...(await receive(other)), ...(await receive({ ...other, deliveryId: 'dlv_again' })), ...(await receive(recorded)));
  return judgeStarted([recorded, other], started);
}

/** The services of two users give the same numbers to subscriptions and deliveries, but each signs with its own secret. */
async function alikeNumbers(stage: Stage): Promise<Judgement> {
  const { luck, tag } = stage;
  const store = emptyStore();
  const users = ['ada', 'bob'].map((user) => {
    const secret = luck.happens(0.8) ? `whsec_${user}_${tag}` : `whsec_${tag}`;
    const posts = Array.from({ length: 2 + luck.below(4) }, (_, number) => postOf(tag, number, secret, `dlv_${number}`));
    return { posts, started: [] as string[], receive: receiver(stage, { user, subscription: 'sub_1', secret, store }) };
  });
  const queue = users.flatMap((user) => user.posts.map((post) => ({ user, post })));
  while (queue.length > 0) {
    const [next] = queue.splice(luck.below(queue.length), 1);
    if (next !== undefined) next.user.started.push(...(await next.user.receive(next.post)));
  }
  const judged = users.map(({ posts, started }) => judgeStarted(posts, started));
  const suppressed = judged.find(({ end }) => end === 'undelivered');
  return suppressed === undefined
    ? (judged.find(({ end }) => end !== 'done') ?? fine)
    : { end: 'crossed', why: `by another user's: ${suppressed.why}` };
}

export const deliverySituations = {
  'foreseen-ids': { says: 'a recorded delivery is replayed under the ids of deliveries to come', platforms: both, play: foreseenIds },
  'flood-of-replays': { says: 'a recorded delivery is replayed many times under new ids', platforms: both, play: floodOfReplays },
  'alike-numbers': { says: "two users' services number subscriptions and deliveries alike", platforms: both, play: alikeNumbers },
} satisfies Record<string, Situation>;
