import { startSandbox } from '../../sandbox/service.ts';
import { openConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { bareWebhook, commitOne, delaysOf, ourTrigger, rateOf, type Starter } from '../endToEnd/starters.ts';
import { atLeast, atMost, line, rounded, type Line, type Target } from '../harness/lines.ts';
import { seeded } from '../../tools/rigs/simulation/virtualTime.ts';
import { median, quantile, shuffled } from '../harness/statistics.ts';
import type { Row } from './index.ts';

const rounds = { warmUp: 2, delay: 64, rate: 13 };
/** Few enough that also a busy machine answers each within the ten seconds that senders wait. */
const burst = 20;

/** n8n lets only the bare Webhook node leave its expression isolate alone; here all are treated alike. */
const sameForAll = { N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP: 'false', EXECUTIONS_DATA_PRUNE: 'false' };

const whyEqual =
  'n8n does the same work for both triggers, and their own work is less than a hundredth of it. So 1x is the best possible ratio, and differences from it are random: compare the quartiles.';

export const endToEnd: Row = {
  name: 'end-to-end',
  title: 'From the booking to the execution, in the real n8n',
  async run() {
    const sandbox = await startSandbox({ limits: false });
    const connected = await openConnectedN8n(sandbox, { extra: sameForAll });
    try {
      const ours = await ourTrigger(sandbox, connected);
      const bare = await bareWebhook(sandbox, connected);
      const random = seeded(8);
      const inTurns = async (count: number, measure: (starter: Starter) => Promise<number>) => {
        const figures = new Map([ours, bare].map((starter) => [starter, [] as number[]]));
        for (let round = -rounds.warmUp; round < count; round += 1) {
          for (const starter of shuffled([ours, bare], random)) figures.get(starter)?.push(await measure(starter));
        }
        return figures;
      };
      const commits = await inTurns(rounds.delay, commitOne);
      const delays = new Map(
        await Promise.all([...commits].map(async ([starter, at]) => [starter, await delaysOf(connected, starter, at)] as const)),
      );
      const rates = await inTurns(rounds.rate, (starter) => rateOf(connected, starter, burst));

      const compared = (what: string, unit: string, figures: ReadonlyMap<Starter, number[]>, target: Target): Line => {
        const counted = (starter: Starter) => (figures.get(starter) ?? []).slice(rounds.warmUp);
        const ratios = counted(ours).map((figure, round) => figure / (counted(bare)[round] ?? Number.NaN));
        return line({
          what,
          ours: `${rounded(median(counted(ours)))} ${unit}`,
          against: `${bare.name}: ${rounded(median(counted(bare)))} ${unit}`,
          figure: median(ratios),
          spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
          target,
          limit: whyEqual,
        });
      };
      return [
        compared('booking to start of the execution', 'ms', delays, atMost(1.1)),
        compared('deliveries taken', 'a second of a core', rates, atLeast(0.9)),
      ];
    } finally {
      await connected.stop();
      await sandbox.stop();
    }
  },
};
