import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SchedulerOAuth2Api } from '../../n8n/credentials/SchedulerOAuth2Api.credentials.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { n8nFolder } from '../../tools/build/products.ts';

/** Prints what the built package shows, and how much of the code that runs the nodes is loaded at first and after each list. */
const program = `
  const { Scheduler } = require('./dist/nodes/Scheduler/Scheduler.node.js');
  const { SchedulerTrigger } = require('./dist/nodes/SchedulerTrigger/SchedulerTrigger.node.js');
  const { SchedulerPollingTrigger } = require('./dist/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.js');
  const { SchedulerOAuth2Api } = require('./dist/credentials/SchedulerOAuth2Api.credentials.js');
  const shown = [new Scheduler(), new SchedulerTrigger(), new SchedulerPollingTrigger(), new SchedulerOAuth2Api()];
  const loaded = () => Object.keys(require.cache).filter((file) => file.includes('adapter')).length;
  const outside = { getCredentials: () => Promise.reject(new Error('none')), getNode: () => ({ name: 'Any' }) };
  const { listSearch } = new Scheduler().methods;
  const { loadOptions } = new SchedulerTrigger().methods;
  (async () => {
    const counts = [loaded()];
    for (const ask of [...Object.values(listSearch), ...Object.values(loadOptions)]) {
      await ask.call(outside).catch(() => undefined);
      counts.push(loaded());
    }
    console.log(JSON.stringify({ shown, counts }));
  })();`;

it('the built package shows what the sources declare, and loads the code that runs the nodes once, when a node is used', async () => {
  const cwd = await n8nFolder();
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program], { cwd, maxBuffer: 16 * 1024 * 1024 });
  const { shown, counts } = JSON.parse(stdout) as { shown: unknown; counts: number[] };
  const declared = [new Scheduler(), new SchedulerTrigger(), new SchedulerPollingTrigger(), new SchedulerOAuth2Api()];
  expect(shown).toEqual(JSON.parse(JSON.stringify(declared)));
  expect(counts).toEqual([0, 1, 1, 1, 1, 1]);
});
