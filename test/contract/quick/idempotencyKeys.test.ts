import { setTimeout as sleep } from 'node:timers/promises';
import type * as Assumptions from '../../../shared/assumptions.ts';
import type * as Writes from '../requirements/writes.ts';
import type * as ShortTime from '../../support/shortTime.ts';
import type * as Mcp from '../platforms/mcp.ts';
import type * as N8n from '../platforms/n8n.ts';
import type * as Sdk from '../platforms/sdk.ts';
import type * as Sources from '../platforms/zapierSources.ts';
import type * as Suite from '../suite.ts';

// The waits of n8n and Zapier are shortened, as in their own files.
jest.mock('n8n-workflow', () => ({
  ...jest.requireActual<object>('n8n-workflow'),
  sleep: (milliseconds: number) => sleep(milliseconds / 25),
}));
jest.mock('node:timers/promises', () => jest.requireActual<typeof ShortTime>('../../support/shortTime.ts').shortTime());

// The only switch.
jest.requireActual<typeof Assumptions>('../../../shared/assumptions.ts').idempotencyKey.isHeeded = true;

const { contractOf } = jest.requireActual<typeof Suite>('../suite.ts');
const { keyEvidence } = jest.requireActual<typeof Writes>('../requirements/writes.ts');
contractOf(jest.requireActual<typeof Sdk>('../platforms/sdk.ts').sdk, keyEvidence);
contractOf(jest.requireActual<typeof Mcp>('../platforms/mcp.ts').mcp, keyEvidence);
contractOf(jest.requireActual<typeof N8n>('../platforms/n8n.ts').n8n, keyEvidence);
contractOf(jest.requireActual<typeof Sources>('../platforms/zapierSources.ts').zapierSources, keyEvidence);
