import { Progress } from '../../tools/start/progress.ts';
import { columns } from '../../tools/start/words.ts';

const MINUTE_MS = 60_000;

describe('the progress of long work, where lines cannot be rewritten', () => {
  let printed: string[];
  let progress: Progress;
  beforeEach(() => {
    jest.useFakeTimers();
    printed = [];
    progress = new Progress({ isTTY: false, write: (text: string) => printed.push(...text.trimEnd().split('\n')) > 0 } as never);
  });
  afterEach(() => jest.useRealTimers());

  /** Runs a step that takes this long. */
  async function lasting(milliseconds: number, name: string, detail = ''): Promise<void> {
    const step = progress.step(name, async (say) => {
      say(detail);
      await new Promise((done) => setTimeout(done, milliseconds));
    });
    await jest.advanceTimersByTimeAsync(milliseconds);
    await step;
  }

  it('is one line for each step, and for a long one a line every few seconds that shows that it goes on', async () => {
    await lasting(100, 'the ports are free');
    await lasting(9_600, 'n8n is up');
    expect(printed).toEqual([
      '  ok        0.1 s  the ports are free',
      '  ...       4.5 s  n8n is up',
      '  ...       9.0 s  n8n is up',
      '  ok        9.6 s  n8n is up',
    ]);
  });

  it('is no wider than everything else, however slow the machine is and however much a step says', async () => {
    const name = "the Zapier app runs from its archive, connected on the service's consent page";
    await lasting(100 * MINUTE_MS, name);
    await lasting(MINUTE_MS, name, 'a detail '.repeat(20));
    expect(Math.max(...printed.map(({ length }) => length))).toBe(columns);
    expect(printed.filter((line) => !/^ {2}(ok|\.\.\.) +\d+\.\d s {2}the Zapier app runs/.test(line))).toEqual([]);
  });
});
