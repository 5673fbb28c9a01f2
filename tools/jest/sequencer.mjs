import Sequencer from '@jest/test-sequencer';

/** What drives whole programs takes longest and goes first, so that no worker is left with it at the end. Jest would go by the size of a file. */
const longest = [
  'queue/queue',
  'zapier/archive/waits',
  'n8n/realTrigger',
  'tools/check',
  'n8n/cores',
  'n8n/realAction',
  'sandbox/hostPage.',
  'queue/start',
  'sandbox/hostPageLooks',
  'n8n/screens',
  'n8n/realRenewal',
  'contract/realN8n',
  'contract/zapier',
  'contract/mcpProgram',
  'contract/oneMore',
];

/** @param {{ path: string }} test */
function place({ path }) {
  const found = longest.findIndex((name) => path.replaceAll('\\', '/').includes(`/test/${name}`));
  return found < 0 ? longest.length : found;
}

export default class extends Sequencer {
  /**
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  async sort(tests) {
    const usual = await super.sort(tests);
    return [...usual].sort((a, b) => place(a) - place(b));
  }
}
