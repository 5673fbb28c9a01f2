import type { Accepted } from '../report.ts';

const faster = 'Calls that do not go through the SDK get the same answers, sooner.';
const neverFails = 'Sending only fails once the connection is closed, and by then every call has been ended.';
const sparesWork = 'Only spares work: the result is the same.';

export const accepted: readonly Accepted[] = [
  { file: 'mcp/stdio.ts', code: 'sent > sentBefore && calls.takes(message)', instead: 'false', why: faster },
  { file: 'mcp/stdio.ts', code: '(message) => sent > sentBefore && calls.takes(message)', instead: '() => undefined', why: faster },
  { file: 'mcp/stdio.ts', code: 'sent += 1', instead: 'sent -= 1', why: faster },
  { file: 'mcp/stdio.ts', code: "era === 'legacy'", instead: 'false', why: faster },
  { file: 'mcp/stdio.ts', code: 'wire.onerror?.(error)', instead: 'wire.onerror(error)', why: neverFails },
  { file: 'mcp/stdio.ts', code: '(error: Error) => wire.onerror?.(error)', instead: '() => undefined', why: neverFails },
  {
    file: 'mcp/program.ts',
    code: '{ ref: false }',
    instead: '{}',
    why: 'Only when a whole process ends shows whether a wait keeps it running.',
  },
  {
    file: 'mcp/program.ts',
    code: 'false',
    instead: 'true',
    why: 'Only when a whole process ends shows whether a wait keeps it running.',
  },
  { file: 'mcp/wire.ts', code: "this.#toWrite === ''", instead: 'true', why: 'Writing when there is nothing left to write does nothing.' },
  { file: 'mcp/wire.ts', code: "text !== ''", instead: 'true', why: 'Writing an empty text writes nothing.' },
  { file: 'mcp/wire.ts', code: 'from === piece.length', instead: 'false', why: sparesWork },
  { file: 'mcp/wire.ts', code: 'this.#begun.length === 0', instead: 'false', why: sparesWork },
];
