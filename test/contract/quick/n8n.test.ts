import { setTimeout as sleep } from 'node:timers/promises';
import type * as N8n from '../platforms/n8n.ts';
import type * as Suite from '../suite.ts';

// n8n provides its own waits. Here, they are as short as on every other platform.
jest.mock('n8n-workflow', () => ({
  ...jest.requireActual<object>('n8n-workflow'),
  sleep: (milliseconds: number) => sleep(milliseconds / 25),
}));

// Imported after the mock, because the adapter takes its waits from there.
const { contractOf } = jest.requireActual<typeof Suite>('../suite.ts');
const { n8n } = jest.requireActual<typeof N8n>('../platforms/n8n.ts');

contractOf(n8n);
