import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SchedulerOAuth2Api } from '../../n8n/credentials/SchedulerOAuth2Api.credentials.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { n8nFolder } from '../../tools/build/products.ts';

const run = promisify(execFile);

/** The output of a program that loads the built package. */
async function inPackage(program: string): Promise<unknown> {
  const entries = `
    const { Scheduler } = require('./dist/nodes/Scheduler/Scheduler.node.js');
    const { SchedulerTrigger } = require('./dist/nodes/SchedulerTrigger/SchedulerTrigger.node.js');
    const { SchedulerPollingTrigger } = require('./dist/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.js');
    const { SchedulerOAuth2Api } = require('./dist/credentials/SchedulerOAuth2Api.credentials.js');`;
  const { stdout } = await run(process.execPath, ['--eval', `${entries}${program}`], {
    cwd: await n8nFolder(),
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

beforeAll(() => n8nFolder(), 300_000);

it('shows what the sources declare, although the build has computed it in advance', async () => {
  const shown = await inPackage(
    'console.log(JSON.stringify([new Scheduler(), new SchedulerTrigger(), new SchedulerPollingTrigger(), new SchedulerOAuth2Api()]));',
  );
  expect(shown).toEqual(
    JSON.parse(JSON.stringify([new Scheduler(), new SchedulerTrigger(), new SchedulerPollingTrigger(), new SchedulerOAuth2Api()])),
  );
});

it('starts without the code that runs the nodes: both load it when they are used, and share one copy', async () => {
  const loaded = await inPackage(`
    const loaded = () => Object.keys(require.cache).filter((file) => file.includes('adapter'));
    const outside = { getCredentials: () => Promise.reject(new Error('none')), getNode: () => ({ name: 'Any' }) };
    const { listSearch, resourceMapping } = new Scheduler().methods;
    const { loadOptions } = new SchedulerTrigger().methods;
    (async () => {
      const counts = [loaded().length];
      for (const ask of [...Object.values(listSearch), ...Object.values(loadOptions)]) {
        await ask.call(outside).catch(() => undefined);
        counts.push(loaded().length);
      }
      console.log(JSON.stringify(counts));
    })();`);
  expect(loaded).toEqual([0, 1, 1, 1, 1, 1]);
});
