/** `npm run start:queue`: the main job on n8n in queue mode. See `--help`. */
import { startCluster, type Cluster } from './queue/cluster.ts';
import { help, readQueueOptions } from './queue/options.ts';
import { runStart } from './start/run.ts';

await runStart(help, async (args) => {
  const options = await readQueueOptions(args);
  if (options === undefined) return undefined;
  let cluster: Cluster | undefined;
  return {
    options,
    host: {
      async start({ port, unpublished, installation }) {
        // With --once nothing is kept, and what root keeps for PostgreSQL would not lie in the folder that is deleted.
        cluster = await startCluster({ folder: options.once ? undefined : options.folder, port, unpublished, installation, postgresUrl: options.postgresUrl, redisUrl: options.redisUrl });
        return cluster;
      },
      complete: (progress) => progress.step('two webhook processors and three workers are up', async () => cluster?.scaleOut()),
    },
  };
});
