/** `npm run start:queue`: does the main job with n8n in queue mode. See `--help`. */
import { startCluster } from '../rigs/queue/cluster.ts';
import { findProgram } from '../rigs/queue/servers.ts';
import { optionsOf, startOptions } from '../start/options.ts';
import { runStart } from '../start/run.ts';

const command = {
  name: 'npm run start:queue',
  does: 'does the main job of npm start on n8n in queue mode: PostgreSQL, Redis, a main process, two webhook processors and three workers.',
  options: startOptions,
  examples: [
    ['npm run start:queue', 'Keeps running. Each start begins with new data.'],
    ['npm run start:queue -- --once', 'Uses free ports, then exits.'],
  ],
} as const;

await runStart(command, async (values) => {
  // Fails before anything is downloaded.
  for (const program of ['redis-server', 'initdb'] as const) findProgram(program);
  return { options: await optionsOf(values), startHost: startCluster };
});
