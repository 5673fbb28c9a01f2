import { assumptions } from '../../shared/assumptions.ts';
import { CHOICES } from '../../sandbox/openapi/document.ts';
import { code, page, table } from './markdown.ts';

/** The table of everything that the public document leaves open. */
export function assumptionsPage(): string {
  const entries = Object.values(assumptions);
  return page(
    'Assumptions',
    `The service's public document leaves ${entries.length} things open. For each, this project assumes one form, which it writes, and also reads the other likely forms. All assumptions are in \`shared/assumptions.ts\`, and the names of fields in \`shared/records/fields.ts\`. If the service turns out to differ, one edit there corrects every platform.`,
    'If an answer fits none of the forms, the error names the request, the expected form and the keys that came. It never becomes an empty list or an invented record.',
    '`npm run probe` checks a real service against this table and names the form that matched each entry: see [Check the assumptions](../provider/assumptions.md).',
    table(
      ['', 'Gap', 'Assumed', 'Also read', 'What depends on it', 'How to check it'],
      entries.map(({ number, gap, assumed, alsoRead, restsOn, settle }) => [number, gap, assumed, alsoRead, restsOn, settle]),
    ),
    '## What the sandbox chooses',
    'Where the public document is silent and nothing depends on it, the sandbox makes a choice. Another service may choose differently:',
    CHOICES.map((choice) => `- ${choice}`).join(';\n') + '.',
    `${code('G1')} to ${code(`G${entries.length}`)} are used throughout the code and the documents. [OpenAPI](../openapi.json) marks everything that depends on one with \`x-assumption\`.`,
  );
}
