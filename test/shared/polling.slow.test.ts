import type { World } from '../../bench/changingService.ts';
import { pollWorld } from '../../bench/pollWorld.ts';
import { compareLists, stateWithout, type PollState } from '../../shared/polling/poll.ts';
import { sha256 } from '../../shared/webhooks/nodeCrypto.ts';
import { shownLists, type ShownLists } from '../support/service.ts';

describe('of a list that takes several polls to read, each change is found and none twice, in virtual time', () => {
  it.each<[string, Partial<World>]>([
    ['the newest first, with polls that are killed', { order: 'newest first', kills: 0.2, settle: 65 }],
    ['the oldest first, with cursors that are refused after half a minute', { order: 'oldest first', cursor: 'key', expiresIn: 30_000 }],
    ['by start, with a copy that is behind', { order: 'by start', cursor: 'key', behindMs: 40_000, kills: 0.05 }],
    ['by update, with cursors that lead to nothing later', { order: 'by update', expiresIn: 600_000, expired: 'empty' }],
    ['by update, with cursors that lead to the beginning later', { order: 'by update', expiresIn: 30_000, expired: 'first page' }],
    ['in no order that helps', { order: 'by id', cursor: 'key', behindMs: 40_000 }],
    ['with a filter that is ignored', { order: 'newest first', cursor: 'key', isUnfiltered: true }],
  ])(
    '%s',
    async (_, world) => {
      const figures = await pollWorld({
        count: 1_100,
        order: 'newest first',
        cursor: 'offset',
        calm: 1,
        hours: 0.15,
        changesAMinute: 8,
        settle: 20,
        ...world,
      });
      expect(figures.events).toBeGreaterThan(20);
      expect(figures).toMatchObject({ unseen: 0, twice: 0, invented: 0 });
    },
    120_000,
  );
});

describe('of a long list', () => {
  const contact = (id: number, change: object = {}) => ({ id: `con_${id}`, name: 'Ada', updated_at: '2029-01-01T09:00:00Z', ...change });
  const contacts = (count: number, change: object = {}) => Array.from({ length: count }, (_, id) => contact(id, change));
  let service: ShownLists;
  let kept: PollState;
  async function polled() {
    service.clock.at += 60_000;
    const found = await compareLists(service.client, kept, { events: ['CONTACT_CREATED', 'CONTACT_UPDATED'] }, sha256);
    kept = JSON.parse(JSON.stringify(found.state)) as PollState;
    return { ...found, changes: found.changes.map(({ row, record }) => `${row.name} ${String(record['id'])}`) };
  }
  beforeEach(async () => {
    service = shownLists({ me: { id: 'usr_1' }, contacts: contacts(1_500) });
    kept = undefined as never;
    await polled();
  });
  /** The results of the polls of an hour and some minutes. */
  async function anHour(): Promise<Awaited<ReturnType<typeof polled>>[]> {
    const found = [];
    for (let each = 0; each < 65; each += 1) found.push(await polled());
    return found;
  }

  it('a poll reads both ends and a part of the rest; what changes there is found within the hour, and once', async () => {
    service.lists['contacts'] = [contact(2_000), ...contacts(1_500), contact(2_001)].with(700, contact(699, { name: 'Grace' }));
    expect((await polled()).changes).toEqual(['CONTACT_CREATED con_2000', 'CONTACT_CREATED con_2001']);
    const found = await anHour();
    expect(found.flatMap(({ changes }) => changes)).toEqual(['CONTACT_UPDATED con_699']);
    expect(Math.max(...found.map(({ calls }) => calls))).toBeLessThanOrEqual(6);
  });

  it('a change that was not handled is found by the next poll, wherever it is', async () => {
    service.lists['contacts'] = contacts(1_500).with(700, contact(700, { name: 'Grace' }));
    let before = kept;
    for (;;) {
      const { changes } = await polled();
      if (changes.length > 0) break;
      before = kept;
    }
    kept = stateWithout(before, kept, [{ event: 'CONTACT_UPDATED', id: 'con_700' }], sha256);
    expect((await polled()).changes).toEqual(['CONTACT_UPDATED con_700']);
  });

  it('contacts that all differ although none was updated are recorded in one poll', async () => {
    service.lists['contacts'] = contacts(1_500, { name: 'A.' });
    expect(await polled()).toMatchObject({ changes: [], baseline: 'otherForm', records: 1_500 });
    for (const found of await anHour()) expect([found.changes, found.baseline]).toEqual([[], undefined]);
  });

  it('records that are gone are missing once a whole sweep lacked them, and once', async () => {
    service.lists['contacts'] = contacts(1_500).toSpliced(500, 30);
    const found = [...(await anHour()), ...(await anHour())];
    expect(found.map(({ missing }) => missing).filter((missing) => missing > 0)).toEqual([30]);
    expect(found.flatMap(({ changes }) => changes)).toEqual([]);
  });

  it('another account is recognised if the service does not say whose the list is', async () => {
    delete service.lists['me'];
    service.lists['contacts'] = contacts(1_500).map((each) => ({ ...each, id: `other_${each.id}` }));
    expect(await polled()).toMatchObject({ changes: [], baseline: 'elsewhere', records: 1_500 });
    expect(await polled()).toMatchObject({ changes: [], missing: 0 });
  });
});
