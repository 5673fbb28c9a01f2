import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { operations } from '../../shared/operations/index.ts';
import { toolName } from '../../mcp/adapter/names.ts';
import { mcpProgram } from '../../tools/build/products.ts';
import { connected, type Connected } from '../../tools/rigs/mcp/connected.ts';
import { play, steps } from './drive/steps.ts';

jest.setTimeout(120_000);

// The same steps that test/mcp/drive/main.ts plays and prints as a table.
describe('the built MCP server, connected through the consent page', () => {
  let sandbox: Sandbox;
  let program: Connected;
  const known = {};
  beforeAll(async () => {
    sandbox = await startSandbox();
    program = await connected(sandbox, await mcpProgram());
  });
  afterAll(async () => {
    await program?.close();
    await sandbox.stop();
  });

  test.each(steps({ account: { email: 'morgan@host.example' } as Sandbox['account'] }))('$tool $does', (step) =>
    play(step, program.client, known),
  );

  test('no tool is left out', () => {
    expect(new Set(steps(sandbox).map(({ tool }) => tool))).toEqual(new Set(operations.map(toolName)));
  });
});
