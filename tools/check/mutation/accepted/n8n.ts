import type { Accepted } from '../report.ts';

export const accepted: readonly Accepted[] = [
  {
    why: 'It is the assumed form. The other one counts once the probe has found it and the assumption is changed.',
    changes: { 'n8n/adapter/credential.ts': [["tokenCall.clientAuthentication === 'body'", 'true']] },
  },
  { why: 'No two labels of a list are equal.', changes: { 'n8n/adapter/fields.ts': [['a.name < b.name', 'a.name <= b.name']] } },
  {
    why: 'A page token that is undefined is the same as none.',
    changes: { 'n8n/adapter/listSearch.ts': [['cursor !== undefined', 'true']] },
  },
  {
    why: 'What that throws is caught, and the body counts as missing either way.',
    changes: { 'n8n/adapter/receive.ts': [['request.readRawBody?.()', 'request.readRawBody()']] },
  },
  {
    why: 'What could not be read is not a buffer, so the next line returns the same.',
    changes: { 'n8n/adapter/receive.ts': [['{ return undefined; }', '{}']] },
  },
  {
    why: 'A function that ends without a value returns the same.',
    changes: { 'n8n/adapter/renewal.ts': [['{ return undefined; }', '{}']] },
  },
];
