import type { Accepted } from '../report.ts';

export const accepted: readonly Accepted[] = [
  {
    why: 'Without a gap, the next moment is that of the last request, which is over: the wait is 0 or less in both cases.',
    changes: { 'shared/api/backOff.ts': [['this.gap(now) > 0', 'this.gap(now) >= 0']] },
  },
  {
    why: 'What is not an object has no keys that say how the list continues.',
    changes: {
      'shared/api/envelope.ts': [['[]', '["Stryker was here"]']],
    },
  },
  {
    why: 'Only decides how soon a bulk request looks again while others go first; when it may pass is decided again there.',
    changes: {
      'shared/api/limiter.ts': [
        ['Math.max(1, this.#backOff.wait(now) + this.#backOff.gap(now))', 'Math.min(1, this.#backOff.wait(now) + this.#backOff.gap(now))'],
        ['this.#backOff.wait(now) + this.#backOff.gap(now)', 'this.#backOff.wait(now) - this.#backOff.gap(now)'],
      ],
    },
  },
  {
    why: 'The caller awaits the result, so undefined is the same as a promise of it.',
    changes: { 'shared/api/reconcile.ts': [['() => Promise.resolve(undefined)', '() => undefined']] },
  },
  { why: 'An absent mark counts as false as well.', changes: { 'shared/api/reconcile.ts': [['{ isKept: false }', '{}']] } },
  {
    why: 'For the compiler: without it, the write counts as sent again often enough.',
    changes: { 'shared/api/reconcile.ts': [['sendAgain !== undefined', 'true']] },
  },
  {
    why: 'Only frees memory: moments before the last ones of a window are never asked for.',
    changes: {
      'shared/api/rollingWindow.ts': [
        ['this.#passed.length > this.most', 'false'],
        ['this.#passed.shift();', ';'],
      ],
    },
  },
  {
    why: 'No event that a known record can show depends on whether its type needs approval.',
    changes: { 'shared/changes/difference.ts': [['false', 'true']] },
  },
  {
    why: 'For the compiler: without an earlier state, the function has returned by then.',
    changes: {
      'shared/changes/feed.ts': [
        ['before?.eventTypes', 'before.eventTypes'],
        ['before?.events', 'before.events'],
      ],
    },
  },
  {
    why: 'Only saves work: a record without a difference shows no event.',
    changes: {
      'shared/changes/feed.ts': [
        ['difference !== undefined && (difference.isNew || isAny(difference))', 'true'],
        ['difference.isNew || isAny(difference)', 'true'],
        ['was !== is || isMoved || isEdited', 'true'],
      ],
    },
  },
  {
    why: 'It is only asked if no wanted event depends on it.',
    changes: {
      'shared/changes/feed.ts': [
        ['false', 'true'],
        ['() => false', '() => undefined'],
      ],
    },
  },
  {
    why: 'For the compiler: the key is always one of the form.',
    changes: {
      'shared/define.ts': [['input[key]?.label', 'input[key].label']],
      'shared/formSchema.ts': [
        ['form[key]?.schema', 'form[key].schema'],
        ['schema === undefined', 'false'],
      ],
    },
  },
  {
    why: 'Only saves work: the same schema is made again.',
    changes: {
      'shared/define.ts': [
        ['schemas.set(form, schema);', ';'],
        ['known !== undefined', 'false'],
      ],
    },
  },
  {
    why: 'For the compiler: what is not text is not a time zone either.',
    changes: { 'shared/define.ts': [["typeof zone === 'string'", 'true']] },
  },
  {
    why: 'A test of jest notices it. The count of changes takes such rejections for itself, so that they do not end it.',
    changes: { 'shared/lookups/bookings.ts': [['zone.catch(() => undefined);', ';']] },
  },
  {
    why: 'For the compiler: what is not text is neither a time nor a time zone.',
    changes: {
      'shared/lookups/bookings.ts': [
        ["typeof invitee === 'string'", 'true'],
        ["typeof start === 'string'", 'true'],
      ],
    },
  },
  {
    why: 'For the compiler: without a text there is no whole address.',
    changes: { 'shared/lookups/contacts.ts': [['query.text?.trim', 'query.text.trim']] },
  },
  {
    why: 'The engine that runs the tests knows them all; an older one may not.',
    changes: { 'shared/lookups/timeZones.ts': [['besides.filter(isZone)', 'besides']] },
  },
  { why: 'No header has that name.', changes: { 'shared/oauth.ts': [['[]', '["Stryker was here"]']] } },
  {
    why: 'Both make spellings equal. The text is only compared with itself.',
    changes: {
      'shared/operations/booking/create.ts': [
        ['invitee_email.toLowerCase()', 'invitee_email.toUpperCase()'],
        [
          "name.normalize('NFKC').trim().replace(/\\s+/g, ' ').toLowerCase()",
          "name.normalize('NFKC').trim().replace(/\\s+/g, ' ').toUpperCase()",
        ],
      ],
    },
  },
  {
    why: 'Whether the look was complete is only asked if nothing was found.',
    changes: { 'shared/operations/booking/create.ts': [['true', 'false']] },
  },
  {
    why: 'Without a return, the result is undefined, which counts as false.',
    changes: {
      'shared/operations/booking/create.ts': [
        [
          '{ // Even if the platform ends the step with a signal of its own: the booking was sent and must be looked for. return false; }',
          '{}',
        ],
      ],
    },
  },
  {
    why: 'For the compiler: a missing place was refused before.',
    changes: { 'shared/operations/booking/findOrCreate.ts': [['place === undefined', 'false']] },
  },
  { why: 'The name is trimmed, so no space is at its beginning.', changes: { 'shared/outputs.ts': [['space < 0', 'space <= 0']] } },
  { why: 'A text in the list is not a question and is skipped.', changes: { 'shared/questions.ts': [['[]', '["Stryker was here"]']] } },
  {
    why: 'It is only asked for events to which the approval is a sign.',
    changes: {
      'shared/testData.ts': [
        ['false', 'true'],
        ['() => false', '() => undefined'],
      ],
    },
  },
  {
    why: 'Without a return, the result is undefined as well.',
    changes: {
      'shared/webhooks/delivery.ts': [
        ['{ // Not UTF-8, not JSON, or nested too deeply for the engine: the caller refuses it. return undefined; }', '{}'],
      ],
    },
  },
  {
    why: 'What is not a number becomes the same zero.',
    changes: {
      'shared/webhooks/reach.ts': [
        ['[]', '["Stryker was here"]'],
        ["half === ''", 'false'],
        ["() => '0'", '() => undefined'],
      ],
    },
  },
  { why: 'An address without its last bytes counts as one with zeros.', changes: { 'shared/webhooks/reach.ts': [['[0]', '[]']] } },
  {
    why: 'A host that ends in a number is an IPv4 address, or no address at all.',
    changes: { 'shared/webhooks/reach.ts': [['/^\\d+(?:\\.\\d+){3}$/', '/\\d+(?:\\.\\d+){3}$/']] },
  },
  { why: 'No subscription has that id.', changes: { 'shared/webhooks/subscriptions.ts': [['[]', '["Stryker was here"]']] } },
  {
    why: 'The limit is earlier than the request by a minute or more, so the exact moment decides nothing.',
    changes: { 'shared/webhooks/subscriptions.ts': [['instantOf(created) < sending().before', 'instantOf(created) <= sending().before']] },
  },
];
