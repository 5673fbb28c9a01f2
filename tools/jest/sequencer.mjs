import Sequencer from '@jest/test-sequencer';
import { beginInstall } from '../rigs/n8n/beginInstall.mjs';
import { installedN8n } from '../rigs/n8n/install.ts';

/** The tests that run n8n itself. */
const onN8n = /\/test\/(queue|n8n|e2e)\/|\/test\/(contract\/realN8n|docs\/(brand|watch|workflows)|mcp\/n8nClient)/;

/** jest's own order: the longest first. Where n8n is not installed yet, the tests that need it come last, and it is installed beside the others. */
export default class extends Sequencer {
  /**
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    if (installedN8n() !== undefined) return sorted;
    const needsN8n = (/** @type {{ path: string }} */ { path }) => onN8n.test(path.replaceAll('\\', '/'));
    const last = sorted.filter(needsN8n);
    if (last.length > 0) beginInstall();
    return [...sorted.filter((test) => !needsN8n(test)), ...last];
  }
}
