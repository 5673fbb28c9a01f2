import { readOne } from '../../api/records.ts';
import { defineOne } from '../../define.ts';
import { user } from '../../samples/records.ts';

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

  run: async (client) => readOne('user', await client.send({ method: 'GET', path: ['me'], scope: 'any', thing: 'user' }), 'GET /v1/me'),
});
