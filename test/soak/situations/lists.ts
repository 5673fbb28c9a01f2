import type { Judgement } from '../judge.ts';
import { runNode } from '../platforms/n8n.ts';
import { method, runStep } from '../platforms/zapier.ts';
import { parsed, pathOf, type Wire } from '../wire.ts';
import { both, delayed, fine, surroundings, type Situation, type Stage } from './stage.ts';

/** The first number that JavaScript cannot distinguish from its neighbour. */
const BIG = 9_007_199_254_740_992n;

/** The service numbers its bookings beyond what JavaScript can represent, and sends the numbers as numbers. */
async function bigIds(stage: Stage): Promise<Judgement> {
  const { world, platform, luck, tag } = stage;
  const email = `${tag}@example.com`;
  const bookings = Array.from({ length: 4 }, () => world.book(email));
  const first = BIG + BigInt(luck.below(1_000_000)) * 4n;
  const numbers = new Map(bookings.map(({ id }, index) => [id, String(first + BigInt(index))]));
  const wire: Wire = async (request, signal) => {
    let { url } = request;
    for (const [id, number] of numbers) url = url.replaceAll(number, id);
    const answer = await world.wire({ ...request, url }, signal);
    let text = answer.body.toString('utf8');
    for (const [id, number] of numbers) text = text.replaceAll(`"${id}"`, number);
    return { ...answer, body: Buffer.from(text) };
  };
  const around = surroundings(stage, world.connect(false, luck), delayed(stage, wire));
  const target = bookings[luck.below(4)] ?? bookings[0];
  const number = numbers.get(target?.id ?? '') ?? '';
  const isList = luck.happens(0.4);
  // The id as a person copied it, or as an expression of n8n or a mapped field of Zapier has already read it.
  const given = luck.happens(0.5) ? number : Number(number);
  const told = await (platform === 'n8n'
    ? runNode(around, [
        isList
          ? { resource: 'booking', operation: 'getMany', returnAll: true, filters: { email }, simplify: false }
          : {
              resource: 'booking',
              operation: 'cancel',
              bookingId: { __rl: true, mode: 'id', value: given },
              additionalFields: {},
              simplify: false,
            },
      ])
    : isList
      ? runStep(around, method('searches.find_booking.operation.perform'), { inputData: { email } })
      : runStep(around, method('creates.cancel_booking.operation.perform'), { inputData: { booking_id: given } }));
  const cancelled = world.sandbox.bookings().flatMap(({ id, status }) => (numbers.has(id) && status === 'CANCELLED' ? [id] : []));
  const other = cancelled.find((id) => id !== target?.id);
  if (other !== undefined) return { end: 'stolen', why: `${numbers.get(other)} was cancelled in place of ${number}` };
  if (told.outcome === 'failed')
    return told.defect === undefined
      ? cancelled.length === 0 || told.isUnsure
        ? { end: 'failed', why: told.words }
        : { end: 'lost', why: told.words }
      : { end: 'untyped', why: told.words };
  if (!isList) return cancelled.length === 1 ? fine : { end: 'invented', why: 'told as cancelled, and it is not' };
  const value = told.value as { results?: unknown[] } | unknown[];
  const ids = (Array.isArray(value) ? value : (value.results ?? [])).map((record) => String((record as { id?: unknown }).id));
  return [...numbers.values()].every((each) => ids.includes(each))
    ? fine
    : { end: 'lost', why: `of ${[...numbers.values()].join()} came ${ids.join()}` };
}

/** Cursors that are page numbers: they mean something else as soon as the page size changes. */
async function pageNumbers(stage: Stage): Promise<Judgement> {
  const { world, luck, tag } = stage;
  const email = `${tag}@example.com`;
  const all = Array.from({ length: 20 }, () => world.book(email).id).reverse();
  const size = 5;
  const wire: Wire = async (request, signal) => {
    if (pathOf(request) !== '/v1/bookings' || request.method !== 'GET') return world.wire(request, signal);
    const address = new URL(request.url);
    const page = Number(address.searchParams.get('cursor') ?? 1);
    // This service returns at most five records a page, and fewer if fewer are asked for.
    const limit = Math.min(size, Number(address.searchParams.get('limit') ?? size));
    address.searchParams.delete('cursor');
    address.searchParams.set('limit', '100');
    const answer = await world.wire({ ...request, url: address.href }, signal);
    const list = (parsed(answer.body.toString('utf8')) as { data: unknown[] }).data;
    const data = list.slice((page - 1) * limit, page * limit);
    return { ...answer, body: Buffer.from(JSON.stringify({ data, next_cursor: page * limit < list.length ? String(page + 1) : null })) };
  };
  const limit = 1 + luck.below(22);
  const told = await runNode(surroundings(stage, world.connect(false, luck), delayed(stage, wire)), [
    { resource: 'booking', operation: 'getMany', returnAll: false, limit, filters: { email }, simplify: false },
  ]);
  if (told.outcome === 'failed')
    return told.defect === undefined ? { end: 'failed', why: told.words } : { end: 'untyped', why: told.words };
  const ids = (told.value as { id: string }[]).map(({ id }) => id);
  const wanted = all.slice(0, limit);
  if (new Set(ids).size < ids.length) return { end: 'duplicated', why: 'twice in the list' };
  return wanted.join() === ids.join()
    ? fine
    : { end: 'lost', why: `asked for ${limit}, got ${ids.length}, of the first ${wanted.filter((id) => ids.includes(id)).length}` };
}

export const listSituations = {
  'big-ids': { says: 'ids are numbers beyond 2^53', platforms: both, play: bigIds },
  'page-numbers': { says: 'cursors are numbers of pages', platforms: ['n8n'], play: pageNumbers },
} satisfies Record<string, Situation>;
