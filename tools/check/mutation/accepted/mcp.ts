import type { Accepted } from '../report.ts';

export const accepted: readonly Accepted[] = [
  {
    why: 'Calls that do not go through the SDK get the same answers, sooner.',
    changes: {
      'mcp/stdio.ts': [
        ['sent > sentBefore && calls.takes(message)', 'false'],
        ['(message) => sent > sentBefore && calls.takes(message)', '() => undefined'],
        ['sent += 1', 'sent -= 1'],
        ["era === 'legacy'", 'false'],
      ],
    },
  },
  {
    why: 'Sending only fails once the connection is closed, and by then every call has been ended.',
    changes: {
      'mcp/stdio.ts': [
        ['wire.onerror?.(error)', 'wire.onerror(error)'],
        ['(error: Error) => wire.onerror?.(error)', '() => undefined'],
      ],
    },
  },
  {
    why: 'Only when a whole process ends shows whether a wait keeps it running.',
    changes: {
      'mcp/program.ts': [
        ['{ ref: false }', '{}'],
        ['false', 'true'],
      ],
    },
  },
  { why: 'Writing when there is nothing left to write does nothing.', changes: { 'mcp/wire.ts': [["this.#toWrite === ''", 'true']] } },
  { why: 'Writing an empty text writes nothing.', changes: { 'mcp/wire.ts': [["text !== ''", 'true']] } },
  {
    why: 'Only spares work: the result is the same.',
    changes: {
      'mcp/wire.ts': [
        ['from === piece.length', 'false'],
        ['this.#begun.length === 0', 'false'],
      ],
    },
  },
  { why: 'It is replaced before it is read.', changes: { 'mcp/exchange.ts': [['{ status: 0, headers: {} }', '{}']] } },
];
