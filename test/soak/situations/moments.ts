import { inspect } from 'node:util';
import { operations, searches, type Operation } from '../../../shared/operations/index.ts';
import app from '../../../zapier/app.ts';
import { actionKey } from '../../../zapier/adapter/names.ts';
import { formFor } from '../../contract/forms.ts';
import { panelOf } from '../../contract/platforms/n8nPanel.ts';
import type { Judgement } from '../judge.ts';
import { activate, callTrigger, runNode, type TriggerPlace } from '../platforms/n8n.ts';
import type { Told } from '../platforms/told.ts';
import { runAction } from '../platforms/zapier.ts';
import type { Wire } from '../wire.ts';
import { fine, surroundings, type Situation, type Stage } from './stage.ts';

/** More requests than two lives of a trigger take: it is published, checked and unpublished. */
const REQUESTS = 14;
/** Of the 25 subscriptions that an account may have, others use so many that one too many is left for this trigger. */
const OF_OTHERS = 22;
/** n8n's leading process holds its key for ten seconds and renews it every three, so nobody takes over earlier after its death. */
const TAKEOVER_MS = 7_000;

/**
 * The process that publishes and unpublishes a trigger dies at any of its requests, before or after the service carries it out. n8n stores
 * static data only when a part of the life cycle has returned. A new process, or one that knows the account, publishes the trigger again.
 */
async function killed(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const { sandbox } = world;
  for (let index = 0; index < OF_OTHERS; index += 1)
    sandbox.host.addSecretlessSubscription({ url: `http://localhost:4040/${tag}/${index}`, events: ['BOOKING_DENIED'] });
  const connection = world.connect(false, luck);
  const place = (url: string, staticData = {}): TriggerPlace => ({ url, events: ['CONTACT_UPDATED'], staticData });
  const url = `http://localhost:5678/webhook/${tag}/webhook`;
  const answers: string[] = [];
  const serve: Wire = async (request, signal) => {
    const answer = await world.wire(request, signal);
    answers.push(answer.body.toString('utf8'));
    return answer;
  };
  const survivor = surroundings(stage, { ...connection, id: `${connection.id} of the survivor` }, serve);
  if (luck.happens(0.5)) await activate(survivor, place(`${url}/of-another`));

  const death = Promise.withResolvers<void>();
  let left = luck.below(REQUESTS);
  const isCarriedOut = luck.happens(0.5);
  const dying: Wire = async (request, signal) => {
    left -= 1;
    if (left >= 0) return serve(request, signal);
    if (left === -1 && isCarriedOut) await serve(request, signal);
    death.resolve();
    return new Promise<never>(() => undefined);
  };
  let stored = {};
  // Nor does a timeout wake a dead process.
  const itsTime = {
    set: (fire: () => void, ms: number) => time.set(() => void (left >= 0 && fire()), ms),
    clear: (id: number) => time.clear(id),
  };
  const life = async (): Promise<void> => {
    while (left >= 0) {
      const around = { ...surroundings(stage, connection, dying), time: itsTime };
      const own = place(url, structuredClone(stored));
      await activate(around, own);
      stored = structuredClone(own.staticData);
      await callTrigger(around, own, 'checkExists');
      await callTrigger(around, own, 'delete');
      stored = structuredClone(own.staticData);
    }
  };
  await Promise.race([life(), death.promise]);
  await time.sleep(TAKEOVER_MS);

  const again = place(url, stored);
  const told = await activate(survivor, again);
  const there = sandbox.subscriptions().filter((each) => each.url === url);
  const { id, signing_secret: secret } = (again.staticData['webhook'] ?? {}) as { id?: string; signing_secret?: string };
  for (const each of sandbox.subscriptions()) if (each.url.includes(tag)) sandbox.host.deleteSubscription(each.id);
  if (told.outcome === 'failed') return { end: 'lost', why: `it could not be published again: ${told.words}` };
  if (there.length !== 1) return { end: 'duplicated', why: `it has ${there.length} subscriptions` };
  const isGiven = answers.some((body) => body.includes(`"${there[0]?.id}"`) && body.includes(`"signing_secret":"${secret}"`));
  return id === there[0]?.id && isGiven ? fine : { end: 'undelivered', why: 'its deliveries cannot be verified' };
}

/** Values that an expression, or a mapped field, can give. */
const texts = ['', '   ', 'text', '{}', '[]'];
const numbers = [0, 42, -1, 1.5, Number.NaN, Infinity, 10n];
const lists = [[], [null], [42], ['text'], [[]]];
const objects = [{}, { a: 1 }, { __rl: true, mode: 'list', value: [1] }, new Date(Number.NaN), Object.create(null) as object];
const odd: readonly [unknown, ...unknown[]] = [undefined, null, true, false, () => 1, ...texts, ...numbers, ...lists, ...objects];

const raw = /TypeError|is not a function|Cannot read|Cannot convert|is not iterable|BigInt|undefined|\[object/;

const onZapier = (operation: Operation): boolean => Object.hasOwn({ ...app.creates, ...app.searches }, actionKey(operation));

/** One field of an operation holds what no person would write. Whatever comes of it, an error is a sentence. */
async function oddValues(stage: Stage): Promise<Judgement> {
  const { world, platform, luck, tag } = stage;
  const offered = platform === 'n8n' ? operations : [...operations, ...searches].filter(onZapier);
  const operation = offered[luck.below(offered.length)];
  if (operation === undefined) throw new Error('The platform offers nothing.');
  const fields = formFor(operation, world.sandbox, luck.happens(0.5));
  const around = surroundings(stage, world.connect(false, luck), world.wire);
  const value = luck.pick(odd);
  const changed = (form: Record<string, unknown>, names: readonly string[]): string => {
    const name = names[luck.below(names.length)] ?? 'more';
    form[name] = value;
    return `${operation.resource}.${operation.name} ${name} = ${inspect(value)}`;
  };
  let told: Told;
  let where: string;
  if (platform === 'n8n') {
    const panel = panelOf(operation, { fields });
    const collection = Object.values(panel).find(
      (part) => typeof part === 'object' && part !== null && !Array.isArray(part) && !('__rl' in part),
    );
    const inner = luck.happens(0.4) ? (collection as Record<string, unknown> | undefined) : undefined;
    const form = inner ?? panel;
    where = changed(
      form,
      Object.keys(form).filter((name) => !['resource', 'operation'].includes(name)),
    );
    told = await runNode(around, [panel], { executionId: tag });
  } else {
    where = changed(fields, Object.keys(fields));
    told = await runAction(around, operation, fields);
  }
  for (const { id, url } of world.sandbox.subscriptions())
    if (url.startsWith('http://127.0.0.1:9/')) world.sandbox.host.deleteSubscription(id);
  if (told.outcome === 'done') return fine;
  const isRaw = told.defect !== undefined || raw.test(told.words);
  return isRaw ? { end: 'untyped', why: `${where}: ${told.defect ?? 'raw'}: ${told.words}` } : { end: 'failed', why: told.words };
}

/** What may happen at any moment, and what may stand in any field. */
export const moments = {
  killed: { platforms: ['n8n'], play: killed },
  'odd-values': { platforms: ['n8n', 'zapier'], play: oddValues },
} satisfies Record<string, Situation>;
