import type { Booking, Sandbox } from '../../../sandbox/service.ts';
import { parsed, pathOf, type Wire } from '../wire.ts';
import type { World } from '../world.ts';

type Shown = Record<string, unknown>;

/** How a booking is shown differently from how it is stored. */
interface Disguise {
  change?: Shown;
  lacks?: readonly string[];
}

const HALF_HOUR_MS = 30 * 60_000;

/**
 * The sandbox as another service would be. It accepts several bookings at one time, and shows earlier records with fields that are missing
 * or different.
 */
export class OtherService {
  readonly #world: World;
  readonly #disguises = new Map<string, Disguise>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The service's wire. Behind it, every booking has a slot of its own, but is shown at the start that was asked for. */
  readonly wire: Wire = async (request, signal) => {
    const body = request.method === 'POST' && pathOf(request) === '/v1/bookings' ? (parsed(request.body ?? '') as Shown) : undefined;
    const start = body === undefined ? undefined : Date.parse(String(body['start_time']));
    const isMoved = start !== undefined && !Number.isNaN(start);
    const answer = await this.#world.wire(
      isMoved ? { ...request, body: JSON.stringify({ ...body, start_time: this.#world.freeStart() }) } : request,
      signal,
    );
    const shown = parsed(answer.body.toString('utf8'));
    if (isMoved && answer.status === 201) this.#disguises.set(String((shown as { data: Shown }).data['id']), { change: times(start) });
    return { ...answer, body: Buffer.from(JSON.stringify(this.#disguised(shown))) };
  };

  /** A booking that was made before, shown in the given way. */
  older(email: string, start: string, disguise: Disguise): Booking {
    const booking = this.#world.book(email);
    this.#disguises.set(booking.id, { ...disguise, change: { ...times(Date.parse(start)), ...disguise.change } });
    return booking;
  }

  #disguised(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#disguised(each));
    if (typeof value !== 'object' || value === null) return value;
    const { change = {}, lacks = [] } = this.#disguises.get(String((value as Shown)['id'])) ?? {};
    const entries = Object.entries({ ...value, ...change }).filter(([key]) => !lacks.includes(key));
    return Object.fromEntries(entries.map(([key, each]) => [key, key === 'data' ? this.#disguised(each) : each]));
  }
}

const times = (start: number): Shown => ({
  start_time: new Date(start).toISOString(),
  end_time: new Date(start + HALF_HOUR_MS).toISOString(),
});

/** The people with bookings under an email address, without the bookings that existed before. */
export const madeFor = (
  sandbox: Pick<Sandbox, 'bookings'>,
  email: string,
  before: ReadonlySet<string> = new Set(),
): { id: string; name: string }[] =>
  sandbox
    .bookings()
    .flatMap(({ id, invitee_email: at, invitee_name: name, status }) =>
      at === email && status !== 'CANCELLED' && !before.has(id) ? [{ id, name }] : [],
    );
