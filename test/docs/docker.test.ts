import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/v4';
import { n8nVersion } from '../../tools/rigs/n8n/install.ts';
import { root } from '../../tools/root.cjs';

const Service = z.strictObject({
  image: z.string(),
  volumes: z.array(z.string()),
  network_mode: z.literal('host'),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_completed_successfully') })).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
});
const Compose = z.strictObject({
  name: z.string(),
  services: z.strictObject({ n8n: Service, package: Service }),
  volumes: z.record(z.string(), z.null()),
});

const { services, volumes } = Compose.parse(parse(readFileSync(join(root, 'examples', 'docker', 'compose.yaml'), 'utf8')));

test('the recipe for Docker runs the n8n version that all tests run on', () => {
  expect([services.n8n.image, services.package.image]).toEqual([`n8nio/n8n:${n8nVersion}`, `n8nio/n8n:${n8nVersion}`]);
});

test('it installs what the build makes, before n8n starts, into the folder that n8n reads', () => {
  expect(services.n8n.depends_on).toHaveProperty('package');
  expect(services.package.volumes).toContain('../../.local/package:/package:ro');
  expect(services.package.command?.join()).toContain('cd /home/node/.n8n/nodes && npm install --legacy-peer-deps --prefix .');
  const named = (list: string[]): string | undefined =>
    list.map((each) => each.split(':')).find(([, place]) => place === '/home/node/.n8n')?.[0];
  expect(Object.keys(volumes)).toEqual([named(services.package.volumes)]);
  expect(named(services.n8n.volumes)).toBe(named(services.package.volumes));
});

test('n8n answers only this machine', () => {
  expect(services.n8n.environment).toMatchObject({ N8N_LISTEN_ADDRESS: '127.0.0.1', WEBHOOK_URL: 'http://localhost:5678/' });
});
