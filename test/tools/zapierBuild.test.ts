import { expect, it } from '@jest/globals';
import { hasOnlyFailedToStart } from '../../tools/build/zapier.ts';

const steps = '- Building app definition.json\n- Zipping project and dependencies\n- Cleaning up temp directory\n';
const hint = ' ›   \u001b[90mre-run this command with `--debug` for more info\u001b[39m\n';

it.each([
  ['its time was over', `${steps}- Testing build\n${hint}`, true],
  ['its time was over, with an error without words', `${steps}- Testing build\n ›   Error: \n ›\n${hint}`, true],
  [
    'the app does not start',
    `${steps}- Testing build\n ›   Error: Detected a missing file in build.zip: 'dist/index.js'\n ›\n${hint}`,
    false,
  ],
  ['it did not come to the start', `${steps}${hint}`, false],
])("recognises whether Zapier's tool only failed to start the archive: %s", (_which, output, expected) => {
  expect(hasOnlyFailedToStart(output)).toBe(expected);
});
