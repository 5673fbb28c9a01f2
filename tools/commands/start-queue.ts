/** `npm run start:queue`: the main job, with n8n in queue mode. See `--help`. */
import { join } from 'node:path';
import { startCluster } from '../rigs/queue/cluster.ts';
import { findProgram } from '../rigs/queue/servers.ts';
import { optionsOf, startOptions } from '../start/options.ts';
import { runStart } from '../start/run.ts';

const folder = join('.local', 'queue');

const command = {
  name: 'npm run start:queue',
  does: 'does the main job of npm start on n8n in queue mode: PostgreSQL, Redis, a main process, two webhook processors and three workers.',
  options: startOptions(folder),
  examples: [
    ['npm run start:queue', 'Keeps running and keeps its data.'],
    ['npm run start:queue -- --once', 'Uses free ports and new data, then exits.'],
  ],
} as const;

await runStart(command, async (values) => {
  // Before anything is downloaded.
  for (const program of ['redis-server', 'initdb'] as const) findProgram(program);
  const options = await optionsOf(values, folder);
  // If no data is kept, the cluster makes its own folders. For root, PostgreSQL's part would not be in the folder that is deleted.
  const kept = options.keepsData ? options.folder : undefined;
  return { options, startHost: (given, opened) => startCluster({ ...given, folder: kept }, opened) };
});
