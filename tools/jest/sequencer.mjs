import Sequencer from '@jest/test-sequencer';

/**
 * Tests that run whole programs take longest and go first, so that no worker is left with one at the end. Jest itself would sort by file
 * size. The two tests of queue mode start six n8n processes each, so there are tests between them that mostly wait.
 */
const longest = [
  'queue/queue',
  'contract/zapier',
  'n8n/realTrigger',
  'n8n/realRenewal',
  'zapier/archive/waits',
  'queue/start',
  'n8n/savedForm',
  'contract/realN8n',
  'docs/brand',
  'contract/oneMore',
  'docs/watch',
  'n8n/screens',
  'tools/products',
  'sandbox/hostPage',
  'docs/workflows',
  'contract/mcpProgram',
  'n8n/polling',
  'sdk/quickstart',
  'mcp/quickstart',
  'docs/nodeReleases',
  'e2e/start',
  'tools/commandLine',
  'docs/splitN8n',
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
