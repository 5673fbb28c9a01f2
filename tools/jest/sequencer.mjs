import Sequencer from '@jest/test-sequencer';
import { beginInstall } from '../rigs/n8n/beginInstall.mjs';
import { installedN8n } from '../rigs/n8n/install.ts';

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
  'n8n/savedForm',
  'contract/realN8n',
  'docs/brand',
  'contract/oneMore',
  'docs/watch',
  'n8n/screens',
  'tools/products',
  'queue/start',
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

/** The long ones that run n8n itself. */
const onN8n = /\/test\/(queue|n8n|e2e)\/|\/test\/(contract\/realN8n|docs\/(brand|watch|workflows)|mcp\/n8nClient)/;

/**
 * @param {string} path with forward slashes
 * @param {boolean} hasN8n without it, the long tests that need no n8n come before those that do, because it is being installed beside them
 */
function place(path, hasN8n) {
  const found = longest.findIndex((name) => path.includes(`/test/${name}`));
  if (found < 0) return 2 * longest.length;
  return !hasN8n && onN8n.test(path) ? longest.length + found : found;
}

export default class extends Sequencer {
  /**
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  async sort(tests) {
    const usual = await super.sort(tests);
    const found = usual.map((test) => ({ test, path: test.path.replaceAll('\\', '/') }));
    const hasN8n = installedN8n() !== undefined;
    if (!hasN8n && found.some(({ path }) => onN8n.test(path) && place(path, true) < longest.length)) beginInstall();
    return found.sort((a, b) => place(a.path, hasN8n) - place(b.path, hasN8n)).map(({ test }) => test);
  }
}
