import { HABITS, startSandbox, type Booking, type Forms, type HabitName } from '../../sandbox/service.ts';
import type { VirtualTime } from '../../bench/virtualTime.ts';
import type { Chance } from './random.ts';

const HOUR_MS = 3_600_000;

/** A request as the public document writes its endpoint: `GET /v1/bookings/:id`. */
export const routeOf = ({ method, url }: Request): string =>
  `${method} ${new URL(url).pathname.replace(/^\/api(?=\/v1\/)/, '').replace(/^(\/v1\/[^/]+\/)[^/]+/, '$1:id')}`;

/** A service that fails always is a fault, and the others do not concern writes. Nor is a subscription drawn whose address is never shown. */
const otherHabits: readonly HabitName[] = ['trouble', 'choices', 'dateFilters', 'order', 'signing', 'typesListed'];
const habitNames = (Object.keys(HABITS) as HabitName[]).filter((name) => !otherHabits.includes(name));

/** None, one or two habits. */
export function drawHabits(luck: Chance): Partial<Forms> {
  const draw = (): Partial<Forms> => {
    const name = habitNames[luck.below(habitNames.length)] ?? 'email';
    const values: readonly string[] = HABITS[name].values.filter((value) => !(name === 'hookField' && value === 'absent'));
    return { [name]: values[1 + luck.below(values.length - 1)] };
  };
  return Object.assign({}, ...Array.from({ length: luck.pick([0, 1, 1, 2, 2, 2]) }, draw)) as Partial<Forms>;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * One service for a few dozen runs. It is replaced before its tables grow so large that they would slow it down.
 */
export async function createWorld(time: VirtualTime, habits: Partial<Forms> = {}) {
  const sandbox = await startSandbox({ clock: time, limits: false, forms: { slots: 'shared', ...habits } });
  const elsewhere: Request[] = [];
  const eventTypeId = sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id ?? '';
  let slots = Math.ceil(time.now() / HOUR_MS) + 24 * 60;
  /** A start that no run has had, nor one that time zones could make of another: all runs may be of one person, where tags are dropped. */
  const freeStart = (): string => new Date((slots += 31) * HOUR_MS).toISOString().replace('.000Z', 'Z');
  /** A booking that only the run that asks for it knows. */
  const book = (email: string, name = 'Ada Lovelace', start = freeStart()): Booking =>
    sandbox.host.book({ event_type_id: eventTypeId, start_time: start, invitee_name: name, invitee_email: email });
  return {
    sandbox,
    habits,
    time,
    elsewhere,
    eventTypeId,
    freeStart,
    book,
    /** The service without a socket. Any other origin only records what it is sent, and must never be sent anything. */
    wire: (request: Request): Promise<Response> =>
      time.stopped(async () => {
        if (new URL(request.url).origin !== sandbox.origin) {
          elsewhere.push(request);
          return Response.json({});
        }
        const { status, headers, body } = await sandbox.fetch(request);
        return new Response(body && (await new Response(body).arrayBuffer()), { status, headers });
      }),
  };
}
