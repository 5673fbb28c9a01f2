import { zapierZip } from '../../tools/build/products.ts';
import { parts } from './archive/index.ts';
import { openPart } from './archive/stage.ts';

/** Room for an archive that has to be built first. */
const BUILD_MS = 600_000;

/** Room for a step of 30 seconds that waits as long, and runs again. */
const CHECK_MS = 600_000;

// The same parts and checks that test/zapier/archive/main.ts runs and prints as a table.
describe.each(parts)('the built Zapier app: $name', (part) => {
  let opened: Awaited<ReturnType<typeof openPart>>;
  beforeAll(async () => {
    opened = await openPart(part, await zapierZip());
  }, BUILD_MS);
  afterAll(() => opened?.close());

  test.each(part.checks)('$title', (check) => opened.play(check), CHECK_MS);
});
