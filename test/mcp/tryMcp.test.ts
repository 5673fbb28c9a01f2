import type { Client } from '@modelcontextprotocol/client';
import { toolName } from '../../mcp/adapter/names.ts';
import { operations } from '../../shared/operations/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { mcpProgram } from '../../tools/build/products.ts';
import { connected, type Connected } from '../../tools/rigs/mcp/connected.ts';
import { nowhere } from '../contract/forms.ts';
import { mcpProgram as platform } from '../contract/platforms/mcpProgram.ts';
import { call, textOf } from './stage.ts';

// The tests for MCP alone. The contract of every platform, which the same server has to keep, does not cover them.
describe('the built MCP server', () => {
  let sandbox: Sandbox;
  let program: Connected;
  let client: Client;
  beforeAll(async () => {
    sandbox = await startSandbox();
    program = await connected(sandbox, await mcpProgram());
    ({ client } = program);
  });
  afterAll(async () => {
    await program?.close();
    await sandbox.stop();
  });

  const given = async (name: string, fields: Record<string, unknown> = {}) =>
    (await call(client, name, fields)).structuredContent as Record<string, unknown> & { records: Record<string, unknown>[] };
  const booked = () => sandbox.host.book().id;

  test('offers a tool for each operation, and the contract leaves none of them out', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(operations.map(toolName).sort());
    expect(operations.filter((operation) => !platform.offers(operation))).toEqual([]);
  });

  test('is connected to the account of the person who agreed on the consent page', async () => {
    expect(await given('get_current_user')).toMatchObject({ email: sandbox.account.email });
  });

  test('asks for permission before it cancels, and then cancels', async () => {
    const booking_id = booked();
    const refused = await call(client, 'cancel_booking', { booking_id });
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('nothing was changed')]);
    expect(sandbox.bookings().find(({ id }) => id === booking_id)?.status).toBe('CONFIRMED');
    expect(await given('cancel_booking', { booking_id, confirm: true })).toMatchObject({ id: booking_id, status: 'CANCELLED' });
  });

  test("shows a subscription's secret when it is made and never again, and deletes it only with permission", async () => {
    const { id: subscription_id, signing_secret: secret } = await given('create_subscription', {
      url: nowhere,
      events: ['BOOKING_CREATED'],
    });
    expect(secret).toMatch(/^whsec_/);
    const listed = await call(client, 'list_subscriptions');
    expect(JSON.stringify(listed)).toContain(String(subscription_id));
    expect(JSON.stringify(listed)).not.toContain(String(secret));
    expect((await call(client, 'delete_subscription', { subscription_id })).isError).toBe(true);
    expect(sandbox.subscriptions()).toHaveLength(1);
    expect(await given('delete_subscription', { subscription_id, confirm: true })).toMatchObject({ deleted: true });
    expect(sandbox.subscriptions()).toEqual([]);
  });
});
