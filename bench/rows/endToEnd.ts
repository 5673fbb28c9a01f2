import { startSandbox } from '../../sandbox/service.ts';
import { openConnectedN8n } from '../../scripts/n8n/connected.ts';
import { startCalCom } from '../../scripts/queue/calcom.ts';
import { bareWebhook, calComTrigger, delayOf, ourTrigger, rateOf } from '../endToEnd/starters.ts';
import { atLeast, atMost, line, rounded, type Line, type Target } from '../harness/lines.ts';
import { seeded } from '../../scripts/simulation/random.ts';
import { median, quantile, shuffled } from '../harness/statistics.ts';
import type { Row } from './index.ts';

const rounds = { delay: 25, rate: 9 };
/** Few enough that also a busy machine answers each within the ten seconds that senders wait. */
const burst = 20;

/** n8n lets only the bare Webhook node leave its expression isolate alone; here all are treated alike. */
const sameForAll = { N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP: 'false' };

const whyNoCalendly = "n8n's Calendly trigger cannot be published here, because it talks to Calendly's own address alone: the row \"verification\" measures its handler.";

const whyScattered = 'The trigger\'s own part is some 0.03 ms of it, as the row "verification" shows. The rest is n8n, which scatters more on a busy machine than the target allows: compare the quartiles.';

export const endToEnd: Row = {
  name: 'end-to-end',
  title: 'From the booking to the execution, in the real n8n',
  async run() {
    const sandbox = await startSandbox({ limits: false });
    const calCom = await startCalCom();
    const connected = await openConnectedN8n(sandbox, { extra: sameForAll });
    try {
      const ours = await ourTrigger(sandbox, connected);
      const peers = [await calComTrigger(sandbox, connected, calCom), await bareWebhook(sandbox, connected)];
      const all = [ours, ...peers];
      const random = seeded(8);
      const measured = async (count: number, measure: (starter: (typeof all)[number]) => Promise<number>) => {
        const figures = new Map(all.map(({ name }) => [name, [] as number[]]));
        for (let round = -1; round < count; round += 1) {
          for (const starter of shuffled(all, random)) {
            const figure = await measure(starter);
            if (round >= 0) figures.get(starter.name)?.push(figure);
          }
        }
        return (name: string) => figures.get(name) ?? [];
      };
      const delays = await measured(rounds.delay, (starter) => delayOf(connected, starter));
      const rates = await measured(rounds.rate, (starter) => rateOf(starter, burst));

      const compared = (what: string, unit: string, figures: (name: string) => number[], targets: Target[]): Line[] =>
        peers.map(({ name }, index) => {
          const ratios = figures('ours').map((figure, round) => figure / (figures(name)[round] ?? Number.NaN));
          return line({
            what,
            ours: `${rounded(median(figures('ours')))} ${unit}`,
            against: `${name}: ${rounded(median(figures(name)))} ${unit}`,
            figure: median(ratios),
            spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
            target: targets[index],
            limit: whyScattered,
            ...(index === 0 && { note: whyNoCalendly }),
          });
        });
      return [
        ...compared('booking to start of the execution', 'ms', delays, [atMost(1.05), atMost(1.1)]),
        ...compared('deliveries taken', 'a second', rates, [atLeast(1), atLeast(0.9)]),
      ];
    } finally {
      await connected.stop();
      await calCom.stop();
      await sandbox.stop();
    }
  },
};
