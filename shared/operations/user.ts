import { readOne } from '../records/records.ts';
import { defineOne } from './define.ts';
import { user } from '../records/samples.ts';

export const getCurrentUser = defineOne({
  resource: 'user',
  name: 'getCurrent',
  action: 'Get Current',
  description: 'Gets the connected user',
  effect: 'read',
  scope: 'any',
  endpoint: 'GET /v1/me',
  input: {},
  output: 'user',
  sample: user,

  async run(client) {
    const { body } = await client.read({ method: 'GET', path: ['me'], scope: 'any', resourceName: 'user' });
    return readOne('user', body, 'GET /v1/me');
  },
});
