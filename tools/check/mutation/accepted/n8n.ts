import type { Accepted } from '../report.ts';

export const accepted: readonly Accepted[] = [
  {
    file: 'n8n/adapter/credential.ts',
    code: `tokenCall.clientAuthentication === 'body'`,
    instead: 'true',
    why: 'It is the assumed form. The other one counts once the probe has found it and the assumption is changed.',
  },
  {
    file: 'n8n/adapter/fields.ts',
    code: 'a.name < b.name',
    instead: 'a.name <= b.name',
    why: 'No two labels of a list are equal.',
  },
  {
    file: 'n8n/adapter/listSearch.ts',
    code: 'cursor !== undefined',
    instead: 'true',
    why: 'A page token that is undefined is the same as none.',
  },
  {
    file: 'n8n/adapter/receive.ts',
    code: 'request.readRawBody?.()',
    instead: 'request.readRawBody()',
    why: 'What that throws is caught, and the body counts as missing either way.',
  },
  {
    file: 'n8n/adapter/receive.ts',
    code: '{ return undefined; }',
    instead: '{}',
    why: 'What could not be read is not a buffer, so the next line returns the same.',
  },
  {
    file: 'n8n/adapter/renewal.ts',
    code: '{ return undefined; }',
    instead: '{}',
    why: 'A function that ends without a value returns the same.',
  },
];
