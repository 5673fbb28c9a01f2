import { setTimeout as sleep } from 'node:timers/promises';
import type * as Core from './platforms/core.ts';
import type * as Mcp from './platforms/mcp.ts';
import type * as N8n from './platforms/n8n.ts';
import type * as Sdk from './platforms/sdk.ts';
import type * as Suite from './suite.ts';

// n8n hands in its own waits: here they are as short as everybody's.
jest.mock('n8n-workflow', () => ({
  ...jest.requireActual<object>('n8n-workflow'),
  sleep: (milliseconds: number) => sleep(milliseconds / 25),
}));

// After the mock: the adapter takes its waits from there.
const { contractOf } = jest.requireActual<typeof Suite>('./suite.ts');
const { core } = jest.requireActual<typeof Core>('./platforms/core.ts');
const { mcp } = jest.requireActual<typeof Mcp>('./platforms/mcp.ts');
const { n8n } = jest.requireActual<typeof N8n>('./platforms/n8n.ts');
const { sdk } = jest.requireActual<typeof Sdk>('./platforms/sdk.ts');

// The platforms that run in this process.
for (const platform of [core, n8n, mcp, sdk]) contractOf(platform);
