import { zapierZip } from '../../scripts/bundle/products.ts';
import { parts } from '../../scripts/zapier/checks/index.ts';
import { openPart } from '../../scripts/zapier/checks/stage.ts';

/** Room for an archive that has to be built first. */
const BUILD_MS = 180_000;

/** Room for a step of 30 seconds that waits as long, and runs again. */
const CHECK_MS = 120_000;

// The same parts and checks that scripts/try-zapier.ts runs and prints as a table.
describe.each(parts)('the built Zapier app: $name', (part) => {
  let opened: Awaited<ReturnType<typeof openPart>>;
  beforeAll(async () => {
    opened = await openPart(part, await zapierZip());
  }, BUILD_MS);
  afterAll(() => opened?.close());

  test.each(part.checks)('$title', (check) => opened.play(check), CHECK_MS);
});
