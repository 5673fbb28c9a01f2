import { createHmac } from 'node:crypto';
import { brand } from '../../../shared/brand.ts';
import { receiveDelivery, type TriggerPlace } from '../platforms/n8n.ts';
import { emptyStore, method, runStep, type Surroundings } from '../platforms/zapier.ts';
import { triggerPlatforms, type TriggerPlatform } from '../operations.ts';
import type { Options } from '../options.ts';
import { chance, seedOf, type Chance } from '../random.ts';
import { VirtualTime } from '../time.ts';

/** Deliveries that are sent at the same time. */
const IN_FLIGHT = 32;
/** Deliveries between two changes of the secret. */
const ROTATION = 500;

export interface DeliveriesResult {
  events: number;
  /** Posts of these events, including repeats and replays. */
  posts: number;
  lost: number;
  duplicated: number;
  /**
   * Posts that were accepted although they were signed with a secret that is not, or not yet, the right one, or although they could not be
   * verified yet.
   */
  wrongSecretTaken: number;
  thrown: number;
}

interface Post {
  event: string;
  body: Buffer;
  secret: string;
  deliveryId: string;
  /** Whether this post is signed with its subscription's secret. */
  isRight: boolean;
  /** It comes before the platform has stored the result of subscribing, which includes the secret. */
  isEarly?: boolean;
}

interface Received {
  /** The events that started a run. */
  started: string[];
  /** The sender was told that it was not accepted, so that it tries again. */
  isRefused: boolean;
}

type Receive = (post: Post, secret: string | undefined) => Promise<Received>;

const name = (suffix: string): string => `${brand.headerPrefix}-${suffix}`;

const headersOf = ({ body, secret, deliveryId }: Post): Record<string, string> => ({
  'content-type': 'application/json',
  [name('Event')]: 'BOOKING_CREATED',
  [name('Delivery-ID')]: deliveryId,
  [name('Timestamp')]: '2030-01-02T08:00:00Z',
  [name('Signature')]: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

let places = 0;

function receiver(platform: TriggerPlatform): Receive {
  const subscription = `sub_${(places += 1)}`;
  if (platform === 'n8n') {
    const url = 'http://localhost:5678/webhook/5b0c/webhook';
    return async (post, secret) => {
      const place: TriggerPlace = {
        url,
        events: ['BOOKING_CREATED'],
        staticData: secret === undefined ? {} : { webhook: { id: subscription, signing_secret: secret, url } },
      };
      const { items, status } = await receiveDelivery(place, post.body, headersOf(post));
      return { started: items.map(({ id }) => id as string), isRefused: status >= 400 };
    };
  }
  const around: Surroundings = {
    time: new VirtualTime(),
    store: emptyStore(),
    wire: () => Promise.reject(new Error('A delivery asks the service for nothing.')),
    connection: { id: '1', baseUrl: brand.baseUrl, clientId: '', clientSecret: '', accessToken: '', refreshToken: '' },
  };
  const perform = method('triggers.booking_created.operation.perform');
  return async (post, secret) => {
    const headers = Object.fromEntries(Object.entries(headersOf(post)).map(([key, value]) => [`Http-${key}`, value]));
    const told = await runStep(around, perform, {
      rawRequest: { method: 'POST', querystring: '', content: post.body.toString('utf8'), headers },
      subscribeData: { id: subscription, signing_secret: secret },
    } as never);
    if (told.outcome !== 'done') throw new Error(told.words);
    // Zapier itself answers the sender, before the app sees the delivery.
    return { started: (told.value as { id: string }[]).map(({ id }) => id), isRefused: false };
  };
}

/** Each event is posted once, and many of them again: repeated, under another delivery id, or with an earlier or later secret. */
function postsOf(first: number, count: number, secret: string, luck: Chance, hasEarly: boolean): Post[] {
  return Array.from({ length: count }, (_, index): Post[] => {
    const event = `bkg_${first + index}`;
    const body = Buffer.from(
      JSON.stringify({
        event: 'BOOKING_CREATED',
        created_at: new Date(1_900_000_000_000 + first + index).toISOString(),
        data: { id: event, status: 'CONFIRMED' },
      }),
    );
    const right = { event, body, secret, deliveryId: `dlv_${event}`, isRight: true };
    if (hasEarly && luck.happens(0.03)) return [{ ...right, isEarly: true }];
    return [
      right,
      ...(luck.happens(0.1) ? [right] : []),
      ...(luck.happens(0.05) ? [right, right] : []),
      ...(luck.happens(0.05) ? [{ ...right, deliveryId: `dlv_other_${event}` }] : []),
      ...(luck.happens(0.05) ? [{ ...right, secret: `${secret}-former`, deliveryId: `dlv_former_${event}`, isRight: false }] : []),
    ];
  }).flat();
}

function shuffled(posts: Post[], luck: Chance): Post[] {
  for (let at = posts.length - 1; at > 0; at -= 1) {
    const other = luck.below(at + 1);
    [posts[at], posts[other]] = [posts[other] as Post, posts[at] as Post];
  }
  return posts;
}

/**
 * Deliveries as they come in practice: repeated, out of order, replayed under another id, 32 at once, with changes of the secret, old ones
 * replayed after that, and some before the secret is stored.
 */
export async function deliveredEvents(platform: TriggerPlatform, events: number, seed: number): Promise<DeliveriesResult> {
  const luck = chance(seedOf('deliveries', platform, seed));
  const result: DeliveriesResult = { events: 0, posts: 0, lost: 0, duplicated: 0, wrongSecretTaken: 0, thrown: 0 };
  const receive = receiver(platform);
  let former: Post[] = [];
  for (let rotation = 0; result.events < events; rotation += 1) {
    const count = Math.min(ROTATION, events - result.events);
    const secret = `whsec_${seed}_${rotation}`;
    const runs = new Map<string, number>();
    const own = postsOf(result.events, count, secret, luck, platform === 'n8n');
    const replays = former.filter(() => luck.happens(0.05)).map((post) => ({ ...post, isRight: false, isEarly: false }));
    const posts = shuffled([...own, ...replays], luck);
    former = own.filter(({ isRight }) => isRight);
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let post = posts[next]; post !== undefined; post = posts[next]) {
        next += 1;
        try {
          const { started, isRefused } = await receive(post, post.isEarly === true ? undefined : secret);
          if (started.length > 0 && (!post.isRight || post.isEarly === true)) result.wrongSecretTaken += 1;
          if (post.isEarly === true && isRefused) started.push(...(await receive(post, secret)).started);
          for (const event of started) runs.set(event, (runs.get(event) ?? 0) + 1);
        } catch {
          result.thrown += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    result.posts += posts.length;
    for (let index = 0; index < count; index += 1) {
      const times = runs.get(`bkg_${result.events + index}`) ?? 0;
      if (times === 0) result.lost += 1;
      if (times > 1) result.duplicated += 1;
    }
    result.events += count;
  }
  return result;
}

export async function deliveriesSuite({ runs, seed, platforms: chosen }: Options): Promise<boolean> {
  const started = performance.now();
  const results: Partial<Record<TriggerPlatform, DeliveriesResult>> = {};
  for (const platform of triggerPlatforms.filter((each) => chosen.includes(each))) {
    const result = await deliveredEvents(platform, runs, seed);
    results[platform] = result;
    console.log(
      `${platform}: ${result.events} events in ${result.posts} posts: ${result.lost} lost, ${result.duplicated} twice, ${result.wrongSecretTaken} with a wrong secret taken, ${result.thrown} exceptions.`,
    );
  }
  console.log(JSON.stringify({ suite: 'deliveries', seed, ...results, seconds: Math.round((performance.now() - started) / 1000) }));
  return Object.values(results).every(
    ({ lost, duplicated, wrongSecretTaken, thrown }) => lost + duplicated + wrongSecretTaken + thrown === 0,
  );
}
