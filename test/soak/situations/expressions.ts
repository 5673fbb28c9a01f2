import type { INodeProperties } from 'n8n-workflow';
import { createHmac } from 'node:crypto';
import { brand } from '../../../shared/brand.ts';
import app from '../../../zapier/app.ts';
import { Scheduler } from '../../../n8n/nodes/Scheduler/Scheduler.node.ts';
import type { Judgement } from '../judge.ts';
import { callTrigger, receiveDelivery, runNode, type Parameters, type TriggerPlace } from '../platforms/n8n.ts';
import type { Told } from '../platforms/told.ts';
import { method, runStep } from '../platforms/zapier.ts';
import { both, delayed, fine, surroundings, type Situation, type Stage } from './stage.ts';

/** Values that an expression, or a mapped field, can give. */
const odd: readonly [unknown, ...unknown[]] = [
  undefined,
  null,
  0,
  42,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  true,
  false,
  '',
  '   ',
  'text',
  '{}',
  '[]',
  [],
  [null],
  [42],
  ['text'],
  [[]],
  {},
  { a: 1 },
  { value: null },
  { __rl: true, mode: 'id', value: null },
  { __rl: true, mode: 'list', value: [1] },
  new Date(Number.NaN),
  10n,
  () => 1,
  Object.create(null),
];

const shown = (value: unknown): string => {
  try {
    return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? String(value));
  } catch {
    return typeof value;
  }
};

const { properties } = new Scheduler().description;

const isShown = ({ displayOptions }: INodeProperties, given: Parameters): boolean =>
  Object.entries(displayOptions?.show ?? {}).every(([name, values]) => (values as unknown[]).includes(given[name.replace(/^\//, '')])) &&
  !Object.entries(displayOptions?.hide ?? {}).some(([name, values]) => (values as unknown[]).includes(given[name.replace(/^\//, '')]));

const judgeWords = (told: Told, what: string): Judgement => {
  if (told.outcome === 'done') return fine;
  const isRaw =
    told.defect !== undefined ||
    /TypeError|is not a function|Cannot read|Cannot convert|is not iterable|BigInt|undefined|\[object/.test(told.words);
  return isRaw ? { end: 'untyped', why: `${what}: ${told.defect ?? 'raw'}: ${told.words}` } : { end: 'failed', why: told.words };
};

/** One parameter of the action node, or one of its optional fields, has an odd value. */
async function inAction(stage: Stage): Promise<Judgement> {
  const { world, luck, tag } = stage;
  const resources =
    properties.find(({ name }) => name === 'resource')?.options?.map((option) => ('value' in option ? option.value : '')) ?? [];
  const resource = resources[luck.below(resources.length)];
  const operations =
    properties
      .find((each) => each.name === 'operation' && isShown(each, { resource }))
      ?.options?.map((option) => ('value' in option ? option.value : '')) ?? [];
  const given: Parameters = { resource, operation: operations[luck.below(operations.length)] };
  const booking = world.book(`${tag}@example.com`);
  const known: Parameters = {
    eventTypeId: { __rl: true, mode: 'id', value: world.eventTypeId },
    bookingId: { __rl: true, mode: 'id', value: booking.id },
    startTime: world.freeStart(),
    inviteeName: 'Ada Lovelace',
    inviteeEmail: `${tag}@example.com`,
    email: `${tag}@example.com`,
    url: `http://localhost:4040/${tag}`,
    events: ['BOOKING_CREATED'],
  };
  const mine = properties.filter(
    (each) => !['resource', 'operation', 'notice'].includes(each.name) && each.type !== 'notice' && isShown(each, given),
  );
  for (const { name, default: usual } of mine) given[name] = known[name] ?? usual;
  const chosen = mine[luck.below(mine.length)];
  const value = luck.pick(odd);
  if (chosen === undefined) return fine;
  const inner = chosen.type === 'collection' && luck.happens(0.7) ? (chosen.options ?? []).map(({ name }) => name) : [];
  const optional = inner[luck.below(inner.length)];
  given[chosen.name] = optional === undefined ? value : { [optional]: value };
  const where = `${String(given['resource'])} ${String(given['operation'])} ${chosen.name}${optional === undefined ? '' : `.${optional}`} = ${shown(value)}`;
  const around = surroundings(stage, world.connect(false, luck), delayed(stage, world.wire));
  return judgeWords(await runNode(around, [given], { executionId: tag }), where);
}

/** One parameter of the trigger has an odd value, at publishing or when a genuine delivery comes. */
async function inTrigger(stage: Stage): Promise<Judgement> {
  const { world, luck, tag } = stage;
  const value = luck.pick(odd);
  const which = luck.pick(['events', 'eventTypes', 'options', 'simplify', 'maximumAge']);
  const secret = 'whsec_x';
  const url = `http://localhost:5678/webhook/${tag}/webhook`;
  const place: TriggerPlace = {
    url,
    events: which === 'events' ? value : ['BOOKING_CREATED'],
    staticData: { webhook: { id: `sub_${tag}`, signing_secret: secret } },
    more: {
      eventTypes: which === 'eventTypes' ? value : [],
      ...(which === 'simplify' && { simplify: value }),
      ...(which === 'options' && { options: value }),
      ...(which === 'maximumAge' && { options: { maximumAge: value } }),
    },
  };
  const where = `trigger ${which} = ${shown(value)}`;
  if (luck.happens(0.4)) {
    const around = surroundings(stage, world.connect(false, luck), delayed(stage, world.wire));
    const told = await callTrigger(around, { ...place, staticData: {} }, luck.pick(['checkExists', 'create']));
    for (const { id, url: at } of world.sandbox.subscriptions()) if (at === url) world.sandbox.host.deleteSubscription(id);
    return judgeWords(told, where);
  }
  const body = Buffer.from(
    JSON.stringify({
      event: 'BOOKING_CREATED',
      created_at: new Date(stage.time.now()).toISOString(),
      data: { id: `bkg_${tag}`, status: 'CONFIRMED', event_type_id: '42' },
    }),
  );
  const header = (name: string): string => `${brand.headerPrefix}-${name}`;
  const headers = {
    [header('Event')]: 'BOOKING_CREATED',
    [header('Delivery-ID')]: `dlv_${tag}`,
    [header('Timestamp')]: new Date(stage.time.now()).toISOString(),
    [header('Signature')]: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  try {
    const { items } = await receiveDelivery(place, body, headers);
    // A value that names no event type selects all; a number is the id that it looks like.
    const isEmpty =
      value === null ||
      value === undefined ||
      value === '' ||
      (Array.isArray(value) && (value.length === 0 || value[0] === 42)) ||
      value === 42;
    const mustCome =
      (which === 'eventTypes' && isEmpty) ||
      ((which === 'options' || which === 'simplify') && true) ||
      (which === 'maximumAge' && (value === null || value === undefined || value === '' || value === 0));
    return mustCome && items.length === 0 ? { end: 'undelivered', why: where } : fine;
  } catch (error) {
    return { end: 'untyped', why: `${where}: a delivery ended in ${String(error)}` };
  }
}

interface Action {
  operation: { inputFields?: { key?: string }[] };
}

const actions = (['creates', 'searches'] as const).flatMap((kind) =>
  Object.entries(app[kind] as unknown as Record<string, Action>).map(([key, { operation }]) => ({
    path: `${kind}.${key}.operation.perform`,
    key,
    inputs: operation.inputFields ?? [],
  })),
);

/** A field of an action, or a value in a delivery, is odd. */
async function inZap(stage: Stage): Promise<Judgement> {
  const { world, luck, tag } = stage;
  const value = luck.pick(odd);
  const around = surroundings(stage, world.connect(false, luck), delayed(stage, world.wire));
  if (luck.happens(0.3)) {
    const which = luck.pick(['content', 'headers', 'signature', 'subscribeData', 'rawRequest', 'inputData']);
    const rawRequest = {
      method: 'POST',
      querystring: '',
      content: which === 'content' ? value : '{}',
      headers: which === 'headers' ? value : which === 'signature' ? { [`Http-${brand.headerPrefix}-Signature`]: value } : {},
    };
    const bundle = {
      rawRequest: which === 'rawRequest' ? value : rawRequest,
      subscribeData: which === 'subscribeData' ? value : { id: 'sub_1', signing_secret: 'whsec_x' },
      inputData: which === 'inputData' ? { event_type_id: value } : {},
    };
    const told = await runStep(around, method('triggers.booking_created.operation.perform'), bundle as never);
    return told.outcome === 'done' ? fine : { end: 'untyped', why: `a delivery with ${which} = ${shown(value)} ended in ${told.words}` };
  }
  const action = actions[luck.below(actions.length)];
  if (action === undefined) return fine;
  const booking = world.book(`${tag}@example.com`);
  const given: Parameters =
    action.key === 'create_booking'
      ? {
          event_type_id: world.eventTypeId,
          start_time: world.freeStart(),
          invitee_name: 'Ada Lovelace',
          invitee_email: `${tag}@example.com`,
        }
      : action.key === 'cancel_booking'
        ? { booking_id: booking.id }
        : { email: `${tag}@example.com` };
  const keys = action.inputs.flatMap(({ key }) => (key === undefined ? [] : [key]));
  const key = keys[luck.below(keys.length)] ?? 'email';
  return judgeWords(
    await runStep(around, method(action.path), { inputData: { ...given, [key]: value } }),
    `${action.key} ${key} = ${shown(value)}`,
  );
}

const odds = (stage: Stage): Promise<Judgement> =>
  stage.platform === 'zapier' ? inZap(stage) : stage.luck.happens(0.75) ? inAction(stage) : inTrigger(stage);

export const expressionSituations = {
  'odd-expressions': { says: 'a parameter holds what no person would write', platforms: both, play: odds },
} satisfies Record<string, Situation>;
