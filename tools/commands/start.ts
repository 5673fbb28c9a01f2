/** `npm start`: starts everything and takes a booking through every platform. See `--help`. */
import { join } from 'node:path';
import { flag, text } from '../commandLine/command.ts';
import { oneProcess } from '../start/n8nSide.ts';
import { optionsOf, startOptions } from '../start/options.ts';
import { runStart } from '../start/run.ts';

const folder = join('.local', 'start');

const command = {
  name: 'npm start',
  does: 'starts a sandbox of the service, a real n8n, the Zapier app and the MCP server on this machine, makes a booking through each, and keeps running.',
  options: {
    ...startOptions,
    data: { ...text('<folder>', 'Where the data is kept.'), usual: `${folder}; a temporary folder with --once` },
    reset: flag('Deletes the data of earlier starts and starts over. In a terminal it asks first.'),
  },
  examples: [
    ['npm start', 'Keeps running and keeps its data. A second one in the same folder prints the addresses of the first.'],
    ['npm start -- --open', 'Opens the start page when everything is running.'],
    ['npm start -- --once', 'Uses free ports and new data, then exits.'],
    ['npm start -- --reset', 'Starts over with new data.'],
  ],
} as const;

await runStart(command, async (values) => ({ options: await optionsOf(values, folder), startHost: oneProcess }));
