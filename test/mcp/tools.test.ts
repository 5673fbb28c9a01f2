import { encode } from 'gpt-tokenizer';
import { toolName } from '../../mcp/adapter/names.ts';
import { toolsOf } from '../../mcp/adapter/tools.ts';
import { operations } from '../../shared/operations/index.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

test('the list of tools is short enough for a model: at most 3,000 tokens', async () => {
  const { tools } = await (await stage.served()).listTools();
  expect(encode(JSON.stringify({ tools })).length).toBeLessThanOrEqual(3_000);
});

test('the read-only mode leaves out every tool that changes something, and none of them can be called', async () => {
  const client = await stage.served({ isReadOnly: true });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(operations.filter(({ effect }) => effect === 'read').map(toolName));
  await expect(client.callTool({ name: 'create_booking', arguments: {} })).rejects.toThrow('There is no tool "create_booking".');
});

test('choosing a tool that does not exist is refused at the start, with a list of those that exist', () => {
  expect(() => toolsOf(operations, { only: ['create_meeting'] })).toThrow(
    'There is no tool "create_meeting". Choose from: cancel_booking, create_booking,',
  );
});
