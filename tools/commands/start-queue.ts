/** `npm run start:queue`: the main job, with n8n in queue mode. See `--help`. */
import { startCluster } from '../rigs/queue/cluster.ts';
import { findProgram } from '../rigs/queue/servers.ts';
import { queueCommand, queueOptions } from '../start/options.ts';
import { runStart } from '../start/run.ts';

await runStart(queueCommand, async (values) => {
  const options = await queueOptions(values);
  const { postgresUrl, redisUrl, keepsData } = options;
  // Before anything is downloaded.
  if (redisUrl === undefined) findProgram('redis-server');
  if (postgresUrl === undefined) findProgram('initdb');
  // If no data is kept, the cluster makes its own folders. For root, PostgreSQL's part would not be in the folder that is deleted.
  const folder = keepsData ? options.folder : undefined;
  return { options, startHost: (given, opened) => startCluster({ ...given, postgresUrl, redisUrl, folder }, opened) };
});
