import { assumptions } from '../../shared/assumptions.ts';
import { CHOICES } from '../../sandbox/openapi/choices.ts';
import { code, page, table } from './markdown.ts';

/** The table of everything that the public document leaves open. */
export function assumptionsPage(): string {
  const entries = Object.values(assumptions);
  return page(
    'Assumptions',
    `The service's public document leaves ${entries.length} things open. For each, this project assumes one form, writes it, and reads the other likely ones as well. Every assumption lives in \`shared/assumptions.ts\`, the names of a record's fields beside it in \`shared/api/fields.ts\`, and nowhere else: when the maker publishes one, one edit there corrects both platforms.`,
    'A body that fits none of the forms ends in a sentence that names the request, the form that was expected and the keys that came; never in an empty list or an invented record.',
    '`npm run probe` holds a real service against the table and says for each entry which form matched: see [Settle a gap](../../CONTRIBUTING.md#settle-a-gap).',
    table(
      ['', 'Gap', 'Assumed', 'Also read', 'What rests on it', 'How to settle it'],
      entries.map(({ number, gap, assumed, alsoRead, restsOn, settle }) => [number, gap, assumed, alsoRead, restsOn, settle]),
    ),
    '## What the sandbox chooses',
    'Where the public document says nothing and nothing rests on it, the sandbox does one thing, and another service may do another:',
    CHOICES.map((choice) => `- ${choice}`).join(';\n') + '.',
    `${code('G1')} to ${code(`G${entries.length}`)} are named so throughout the code and the documents. [OpenAPI](../openapi.json) marks what rests on one with \`x-assumption\`.`,
  );
}
