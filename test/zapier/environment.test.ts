import { brand } from '../../shared/brand.ts';
import { environment } from '../../zapier/adapter/environment.ts';

const names = ['CLIENT_ID', 'CLIENT_SECRET', 'BASE_URL'] as const;
const before = names.map((name) => [name, process.env[name]] as const);
const set = (name: string, value: string | undefined): void => {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
};
afterEach(() => {
  for (const [name, value] of before) set(name, value);
});

test.each([undefined, ''])('without a BASE_URL (%j) the app uses the service of brand.json', (address) => {
  for (const name of names) set(name, name === 'BASE_URL' ? address : name.toLowerCase());
  expect(environment()).toEqual({ clientId: 'client_id', clientSecret: 'client_secret', baseUrl: brand.baseUrl });
});

test('a BASE_URL leads to a test system', () => {
  set('BASE_URL', 'https://test.example/api/v1');
  expect(environment().baseUrl).toBe('https://test.example/api/v1');
});
