/** `npm run start:queue`: the main job, with n8n in queue mode. See `--help`. */
import { nodeTypes, ourPackage } from '../rigs/n8n/connected.ts';
import { listCredentials } from '../rigs/n8n/credentials.ts';
import { publish, unpublish } from '../rigs/n8n/workflows.ts';
import { startCluster, type Cluster } from '../rigs/queue/cluster.ts';
import { loadTable, measureCalCom, measureOurs } from '../rigs/queue/measure.ts';
import { queueCommand, queueOptions, type QueueOptions } from '../rigs/queue/options.ts';
import { findProgram } from '../rigs/queue/programs.ts';
import type { Connection } from '../rigs/queue/workflows.ts';
import type { Sides } from '../start/mainJob.ts';
import type { Progress } from '../start/progress.ts';
import { runStart, type Plan } from '../start/run.ts';

await runStart(queueCommand, async (values) => planOf(await queueOptions(values)));

function planOf(options: QueueOptions): Plan {
  let cluster: Cluster | undefined;
  return {
    options,
    host: {
      async start({ port, unpublished, installation, extra, lean }, opened) {
        // If no data is kept, the cluster makes its own folders. For root, PostgreSQL's part would not be in the folder that is deleted.
        cluster = await startCluster(
          {
            folder: options.keepsData ? options.folder : undefined,
            port,
            unpublished,
            installation,
            postgresUrl: options.postgresUrl,
            redisUrl: options.redisUrl,
            extra,
            lean,
          },
          opened,
        );
        return cluster;
      },
      complete: (progress) => progress.step('two webhook processors and three workers are up', async () => cluster?.scaleOut()),
    },
    needs: {
      what: 'PostgreSQL and Redis are installed, or given by address',
      check() {
        if (options.redisUrl === undefined) findProgram('redis-server');
        if (options.postgresUrl === undefined) findProgram('initdb');
      },
    },
    ...(options.deliveries === 0
      ? {}
      : { afterwards: async (sides, progress) => (cluster === undefined ? '' : measured(sides, cluster, options.deliveries, progress)) }),
  };
}

/** Sends many deliveries to our trigger and to n8n's own for Cal.com. Nothing else listens meanwhile; the Zap stays off afterwards. */
async function measured({ sandbox, n8n, zapier }: Sides, cluster: Cluster, count: number, progress: Progress): Promise<string> {
  const { name } = await ourPackage();
  const [credential] = await listCredentials(n8n.session);
  if (credential === undefined) throw new Error('n8n has no credential.');
  const connection: Connection = {
    session: n8n.session,
    nodes: nodeTypes(name),
    credentials: { [credential.type]: { id: credential.id, name: credential.name } },
  };
  await zapier.zap.turnOff();
  await unpublish(n8n.session, n8n.listening.id);
  const ours = await progress.step(`${count} deliveries to our trigger`, () => measureOurs(sandbox, cluster, connection, count));
  console.log(`\n${loadTable({ ours })}\n`);
  // A tenth of the deliveries is enough to show the rate.
  const fewer = Math.ceil(count / 10);
  const calCom = await progress.step(`${fewer} deliveries to n8n's own trigger for Cal.com`, () =>
    measureCalCom(sandbox, cluster, connection, fewer),
  );
  await publish(n8n.session, n8n.listening.id);
  return loadTable({ ours, "n8n's Cal.com trigger": calCom });
}
