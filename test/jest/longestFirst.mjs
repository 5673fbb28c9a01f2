import Sequencer from '@jest/test-sequencer';

/**
 * Jest begins with the largest files where it has no times of an earlier run, as in CI. These are short, run for minutes, and mostly one
 * program after another: begun late, they would end when nothing else is left.
 */
const long = /\/test\/(?:docs\/(?:settle|brand)|queue\/start)\./;

export default class LongestFirst extends Sequencer {
  /**
   * @override
   * @type {Sequencer['sort']}
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    return [...sorted.filter(({ path }) => long.test(path)), ...sorted.filter(({ path }) => !long.test(path))];
  }
}
