import Sequencer from '@jest/test-sequencer';
import { beginInstall } from '../rigs/n8n/beginInstall.mjs';
import { installedN8n } from '../rigs/n8n/install.ts';

/**
 * Tests that run whole programs take longest and go first, so that no worker is left with one at the end. Jest itself would sort by file
 * size. Those that mostly wait stand between those that keep the processor busy. The tests of queue mode start six n8n processes each and
 * are far apart.
 */
const longest = [
  'queue/queue',
  'n8n/savedForm',
  'contract/realN8n/answers',
  'contract/zapier',
  'docs/brand',
  'contract/mcpProgram',
  'n8n/screens',
  'n8n/cores/oldest',
  'contract/oneMore',
  'queue/losses',
  'n8n/cores/older',
  'contract/realN8n/records',
  'tools/products',
  'n8n/polling',
  'queue/start.test',
  'n8n/cores/current',
  'docs/watch',
  'zapier/archive/waits',
  'sandbox/hostPageWorks',
  'docs/pollingApp',
  'e2e/start',
  'n8n/realTrigger',
  'n8n/realRenewal',
  'sandbox/hostPageLooks',
  'sdk/quickstart',
  'tools/check',
  'mcp/quickstart',
  'docs/workflows',
  'queue/scale',
  'docs/splitN8n',
  'queue/interrupted',
  'tools/commandLine',
  'soak/faults',
  'n8n/manyItems',
  'contract/quick/sdk',
  'docs/nodeReleases',
  'mcp/lostAnswers',
  'n8n/realAction',
  'contract/quick/n8n',
  'docs/probe',
  'sdk/oauth',
  'mcp/n8nClient',
  'contract/quick/mcp',
  'zapier/cli',
  'sdk/handlers',
  'e2e/mainJob',
  'queue/limiter',
  'mcp/unread',
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
