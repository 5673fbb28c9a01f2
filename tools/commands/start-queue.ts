/** `npm run start:queue`: the main job, with n8n in queue mode. See `--help`. */
import { startCluster, type Cluster } from '../rigs/queue/cluster.ts';
import { queueCommand, queueOptions, type QueueOptions } from '../start/options.ts';
import { findProgram } from '../rigs/queue/servers.ts';
import { runStart, type Plan } from '../start/run.ts';

await runStart(queueCommand, async (values) => planOf(await queueOptions(values)));

function planOf(options: QueueOptions): Plan {
  // Before anything is downloaded.
  if (options.redisUrl === undefined) findProgram('redis-server');
  if (options.postgresUrl === undefined) findProgram('initdb');
  let cluster: Cluster | undefined;
  return {
    options,
    host: {
      async start(given, opened) {
        // If no data is kept, the cluster makes its own folders. For root, PostgreSQL's part would not be in the folder that is deleted.
        const { postgresUrl, redisUrl, keepsData } = options;
        cluster = await startCluster({ ...given, postgresUrl, redisUrl, folder: keepsData ? options.folder : undefined }, opened);
        return cluster;
      },
      complete: (progress) => progress.step('starting two webhook processors and three workers', async () => cluster?.scaleOut()),
    },
  };
}
