import { pollEvery } from '../shared/polling/pace.ts';
import { compareLists, type Poll } from '../shared/polling/poll.ts';
import { sha256 } from '../shared/webhooks/nodeCrypto.ts';
import { seeded } from './virtualTime.ts';
import { ChangingService, minute, startsAt, type MadeChange, type World } from './changingService.ts';

export interface Figures {
  /** API calls per minute of the polls after the first sweep. */
  callsAMinute: number;
  /** Minutes until an event was seen: the median, the maximum, and the share that was seen within 2.5 minutes. */
  minutes: Record<MadeChange['kind'], { median: number; most: number; share: number }>;
  unseen: number;
  twice: number;
  invented: number;
  events: number;
}

const wanted = { events: ['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'] };

/** Polls a service in virtual time whose bookings change, even while its pages are read. */
export async function pollWorld(world: World): Promise<Figures> {
  const { hours, kills = 0, settle, calm } = world;
  const random = seeded(1);
  const service = new ChangingService(world, random);
  const { client, changes } = service;
  let [saved, memory]: [unknown, unknown] = [undefined, undefined];
  let [counted, spent, twice, invented] = [0, 0, 0, 0];
  let [isReady, nextPoll] = [false, startsAt];
  while (service.now < service.end + settle * minute) {
    service.advanceTo(nextPoll);
    const began = service.now;
    service.calls = 0;
    const isKilled = isReady && random() < kills;
    service.dieAt = isKilled && random() < 0.5 ? 2 + Math.floor(random() * 15) : Infinity;
    const found: Poll | undefined = await compareLists(client, memory, wanted, sha256).catch((error: unknown) => {
      if (!isKilled) throw error;
      return undefined;
    });
    const every = found === undefined ? minute : pollEvery(found.calls);
    nextPoll = Math.max(began + every, startsAt + Math.ceil((service.now - startsAt) / minute) * minute);
    // A platform that was killed has the state that it saved last.
    if (isKilled || found === undefined) {
      memory = saved;
      continue;
    }
    memory = JSON.parse(JSON.stringify(found.state));
    if (found.changes.length > 0 || found.mustSave) saved = memory;
    for (const { row, record } of found.changes) {
      const change = changes.find(({ id, event }) => id === record['id'] && event === row.name);
      if (change === undefined) invented += 1;
      else if (change.seenAt === undefined) change.seenAt = service.now;
      else twice += 1;
    }
    if (!isReady && found.goesOn !== true) {
      isReady = true;
      // After a complete reading of a long list, the next poll has to pause.
      service.nextChange = service.now + calm * minute;
      service.end = service.nextChange + hours * 60 * minute;
    } else if (began > service.end - hours * 60 * minute && service.now < service.end) {
      counted += Math.max(1, every / minute);
      spent += service.calls;
    }
  }
  const minutes = { new: delaysOf(changes, 'new'), upcoming: delaysOf(changes, 'upcoming'), past: delaysOf(changes, 'past') };
  const unseen = changes.filter(({ seenAt }) => seenAt === undefined).length;
  return { callsAMinute: spent / counted, minutes, unseen, twice, invented, events: changes.length };
}

function delaysOf(changes: readonly MadeChange[], kind: MadeChange['kind']): Figures['minutes']['new'] {
  const delays = changes
    .filter((each) => each.kind === kind)
    .map(({ at, seenAt = Infinity }) => (seenAt - at) / minute)
    .sort((a, b) => a - b);
  const inTime = delays.filter((delay) => delay <= 2.5).length;
  return { median: delays[Math.floor(delays.length / 2)] ?? 0, most: delays.at(-1) ?? 0, share: inTime / Math.max(1, delays.length) };
}
