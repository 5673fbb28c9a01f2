import Sequencer from '@jest/test-sequencer';

/** What drives whole programs takes longest and goes first, so that no worker is left with it at the end. Jest would go by the size of a file. */
const longest = [
  'queue/queue',
  'queue/start',
  'n8n/savedForm',
  'contract/realN8n',
  'docs/brand',
  'n8n/realTrigger',
  'contract/oneMore',
  'docs/watch',
  'n8n/screens',
  'tools/products',
  'sandbox/hostPage',
  'zapier/archive/waits',
  'docs/workflows',
  'contract/zapier',
  'contract/mcpProgram',
  'n8n/polling',
  'sdk/quickstart',
  'mcp/quickstart',
  'docs/nodeReleases',
  'e2e/start',
  'tools/commandLine',
  'docs/splitN8n',
  'n8n/realRenewal',
  'n8n/cores',
  'n8n/realAction',
  'docs/pollingApp',
  'docs/probe',
  'mcp/n8nClient',
  'e2e/mainJob',
  'zapier/cli',
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
