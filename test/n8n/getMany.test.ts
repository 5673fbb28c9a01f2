import type { IExecuteFunctions } from 'n8n-workflow';
import { execute } from '../../n8n/adapter/execute.ts';
import { operations } from '../../shared/operations/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { executeHost, type HostOptions } from './support/host.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ limits: false });
});
afterEach(() => sandbox.stop());

const run = (options: Omit<HostOptions, 'sandbox'>) => execute(executeHost({ sandbox, ...options }), operations);

describe('lists', () => {
  it('give fifty by default, in one request', async () => {
    await run({ parameters: { resource: 'booking', operation: 'getMany' } });
    expect(sandbox.requests().map(({ query }) => query)).toEqual([{ limit: '50' }]);
  });

  it('say that there may be more if the limit was reached, and only then', async () => {
    const hintsOf = async (change: Record<string, unknown>) => {
      const hints: string[] = [];
      await run({ parameters: { resource: 'contact', operation: 'getMany', ...change }, items: [{}, {}], hints });
      return hints;
    };
    const all = sandbox.contacts().length;
    expect(await hintsOf({ returnAll: false, limit: all - 1 })).toEqual([
      'There may be more than the items shown. To get them, raise Limit or turn on Return All.',
    ]);
    expect(await hintsOf({ returnAll: false, limit: all })).toEqual([]);
    expect(await hintsOf({ returnAll: true })).toEqual([]);
  });

  it('are returned if the host cannot show a hint, as for the tool of an agent in the oldest n8n', async () => {
    const { addExecutionHints: _, ...tool } = executeHost({
      sandbox,
      parameters: { resource: 'contact', operation: 'getMany', returnAll: false, limit: 1 },
    });
    expect(await execute(tool as IExecuteFunctions, operations)).toHaveLength(1);
  });

  it('simplify wide records and keep all fields when asked to', async () => {
    const [simple] = await run({ parameters: { resource: 'booking', operation: 'getMany', returnAll: false, limit: 1, simplify: true } });
    const [whole] = await run({ parameters: { resource: 'booking', operation: 'getMany', returnAll: false, limit: 1, simplify: false } });
    expect(Object.keys(whole?.json ?? {}).length).toBeGreaterThan(Object.keys(simple?.json ?? {}).length);
    expect(whole?.json).toMatchObject(simple?.json ?? {});
    expect(simple?.json).not.toHaveProperty('created_at');
    const [unsaid] = await run({ parameters: { resource: 'booking', operation: 'getMany', returnAll: false, limit: 1 } });
    expect(unsaid?.json).toEqual(simple?.json);
  });

  it('give an agent the chosen fields and the ID, in reading order', async () => {
    const parameters = { resource: 'booking', operation: 'getMany', limit: 1, simplify: 'selectedFields' };
    const [item] = await run({ parameters: { ...parameters, selectedFields: ['invitee_start_time', 'status', 'invitee_name'] } });
    expect(Object.keys(item?.json ?? {})).toEqual(['invitee_name', 'id', 'status', 'invitee_start_time']);
    const [none] = await run({ parameters: { ...parameters, selectedFields: [] } });
    expect(Object.keys(none?.json ?? {})).toEqual(['id']);
    const [pasted] = await run({ parameters });
    expect(pasted?.json).toHaveProperty('created_at');
  });
});
