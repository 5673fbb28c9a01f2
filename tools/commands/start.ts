/** `npm start`: a booking goes round, from one command. See `--help`. */
import { join } from 'node:path';
import { flag } from '../commandLine/options.ts';
import { oneProcess } from '../start/n8nSide.ts';
import { optionsOf, startOptions } from '../start/options.ts';
import { runStart } from '../start/run.ts';

const folder = join('.local', 'start');

const command = {
  name: 'npm start',
  does: "starts the service, a real n8n, Zapier's side and the MCP server on this machine, lets a booking go round, and stays up.",
  options: {
    ...startOptions(folder),
    reset: flag('Deletes what earlier starts have kept in the data folder, and begins anew. On a terminal it asks first.'),
  },
  examples: [
    ['npm start', 'Stays up, with data that stays. A second one in the same folder prints the addresses of the first.'],
    ['npm start -- --once', 'On free ports with fresh data, then ends.'],
    ['npm start -- --reset', 'Begins anew.'],
  ],
} as const;

await runStart(command, async (values) => ({
  options: { ...(await optionsOf(values, folder)), reset: values.reset },
  host: oneProcess,
}));
