import { eventRows } from '../../shared/events.ts';
import { chosenTexts, eventTypeMatches, filterFields, TriggerFilter } from '../../shared/webhooks/filter.ts';

it.each<[unknown, string[]]>([
  [
    ['evt_1', ' evt_2 '],
    ['evt_1', 'evt_2'],
  ],
  ['evt_1, evt_2,,', ['evt_1', 'evt_2']],
  ['evt_1', ['evt_1']],
  [7, ['7']],
  [
    [7, 'evt_1', 7.5],
    ['7', 'evt_1'],
  ],
  [['', ' ', null, undefined, {}, ['evt_1'], true], []],
  [undefined, []],
  [null, []],
  ['', []],
  [{ id: 'evt_1' }, []],
])('reads the choice %j as %j', (value, texts) => {
  expect(chosenTexts(value)).toEqual(texts);
});

it.each<[object, string[], boolean]>([
  [{ event_type_id: 'evt_1' }, ['evt_1', 'evt_2'], true],
  [{ event_type_id: 'evt_3' }, ['evt_1', 'evt_2'], false],
  [{ event_type_id: 'evt_3' }, [], true],
  [{}, ['evt_1'], true],
  [{ event_type_id: null }, ['evt_1'], true],
])('a booking %j is of the types %j: %p', (record, chosen, matches) => {
  expect(eventTypeMatches(record, chosen)).toBe(matches);
});

it('triggers for bookings offer the choice of event types, and it may be left empty', () => {
  for (const row of eventRows) {
    const fields = filterFields(row);
    if (row.record === 'contact') expect(fields).toEqual([]);
    else
      expect(fields).toMatchObject([
        { key: 'event_type_ids', label: 'Event Types', control: 'choices', lookup: 'eventTypes', required: false },
      ]);
  }
  const { schema } = TriggerFilter.event_type_ids;
  expect(schema.parse(undefined)).toBeUndefined();
  expect(schema.parse(['evt_1'])).toEqual(['evt_1']);
});
