import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { root } from '../../tools/root.cjs';
import { serve } from '../support/serve.ts';
import { zipOf } from '../../tools/build/zip.ts';

const run = promisify(execFile);
const ofProject = (name: string, folder = '.github/workflows'): string => readFileSync(join(root, folder, name), 'utf8');

const releasing = ofProject('release.yml');
const publishing = ofProject('publish.yml', 'tools/build/split');
const pipelines = {
  'release.yml': releasing,
  'test.yml': ofProject('test.yml'),
  'security.yml': ofProject('security.yml'),
  'probe.yml': ofProject('probe.yml'),
  'zones.yml': ofProject('zones.yml'),
  "the split repository's publish.yml": publishing,
};

it.each(Object.entries(pipelines))('%s is what its host takes', async (_, pipeline) => {
  const folder = await mkdtemp(join(tmpdir(), 'pipeline-'));
  // The validator does not know this permission yet.
  await writeFile(join(folder, 'pipeline.yml'), pipeline.replace(/^ +attestations: write\n/m, ''));
  await run(process.execPath, [join(root, 'node_modules', '@action-validator', 'cli', 'cli.mjs'), join(folder, 'pipeline.yml')]);
  await rm(folder, { recursive: true });
});

it.each([releasing, publishing])(
  'a release publishes the files that were built, runs nothing of them, and has no stored token',
  (pipeline) => {
    const published = [...pipeline.matchAll(/npm publish .*/g)].map(([command]) => command);
    expect(published).not.toEqual([]);
    for (const command of published)
      expect(command).toMatch(/^npm publish \.\/(?:\$FILE|\*\.tgz) --provenance --access public --ignore-scripts$/);
    expect(pipeline).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
  },
);

interface Step {
  if?: string;
  run?: string;
  env?: Record<string, string>;
}

it('the weekly probe gives the token of the test account to the step that probes alone, and runs nothing without one', () => {
  const { jobs } = parse(pipelines['probe.yml']) as { jobs: Record<string, { steps: Step[] }> };
  const [account, ...others] = Object.values(jobs).flatMap(({ steps }) => steps);
  expect(account?.run).toContain('nothing is probed');
  expect(others.filter((step) => step.if !== 'steps.account.outputs.exists')).toEqual([]);
  expect(others.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.'))).toEqual([others.at(-1)]);
});

describe('a release first looks at the settings of the repository', () => {
  const ruleset = {
    id: 7,
    target: 'tag',
    enforcement: 'active',
    conditions: { ref_name: { include: ['refs/tags/v*'], exclude: [] as string[] } },
    rules: ['creation', 'update', 'deletion'].map((type) => ({ type })),
  };
  const environment = {
    protection_rules: [{ type: 'required_reviewers' }, { type: 'branch_policy' }],
    deployment_branch_policy: { protected_branches: false, custom_branch_policies: true },
  };
  it.each([
    ['nothing where they are as docs/provider/release.md says', true, ''],
    [
      'every gap otherwise',
      false,
      'No active ruleset protects the tags v* from being created, updated and deleted.\nNobody has to approve the environment mcp.\nThe environment mcp is open to more than tags that match v*.',
    ],
  ])('and names %s', async (_, isSafe, says) => {
    const settings: Record<string, unknown> = {
      'rulesets?per_page=100&targets=tag': [{ id: 7 }],
      'rulesets/7': isSafe ? ruleset : { ...ruleset, enforcement: 'evaluate' },
    };
    for (const name of ['n8n', 'mcp', 'sdk', 'zapier']) {
      const isOpen = name === 'mcp' && !isSafe;
      settings[`environments/${name}`] = isOpen ? { ...environment, protection_rules: [] } : environment;
      settings[`environments/${name}/deployment-branch-policies?per_page=100`] = {
        branch_policies: [{ name: 'v*', type: 'tag' }, ...(isOpen ? [{ name: 'v*', type: 'branch' }] : [])],
      };
    }
    const port = await serve(({ url = '' }, response) => {
      const known = settings[url.replace('/repos/owner/name/', '')];
      response.writeHead(known === undefined ? 404 : 200).end(JSON.stringify(known ?? {}));
    });
    const [, script = ''] = /run: node (tools\/release\/\S+)$/m.exec(releasing) ?? [];
    const env = { ...process.env, GITHUB_API_URL: `http://127.0.0.1:${port}`, GITHUB_REPOSITORY: 'owner/name', GH_TOKEN: 'none' };
    const ended = await run(process.execPath, [script], { cwd: root, env }).then(
      () => '',
      (error: unknown) => (error as { stderr: string }).stderr.trim(),
    );
    expect(ended).toBe(says);
  });
});

describe('uploading to Zapier', () => {
  const appId = '4711';
  const deployKey = 'dk_only_for_this_test';
  let folder: string;
  let seen: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }[];
  let status: number;
  let endpoint: string;

  beforeEach(async () => {
    [seen, status] = [[], 200];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: await text(request) });
      response.writeHead(method === 'PUT' ? status : 200, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(method === 'PUT' ? { errors: ['This version is promoted.'] } : { id: Number(appId), status: 'public' }));
    };
    const port = await serve((request, response) => void answer(request, response));
    endpoint = `http://127.0.0.1:${port}/cli`;
    folder = await mkdtemp(join(tmpdir(), 'upload-'));
    await mkdir(join(folder, 'build'));
    await writeFile(join(folder, 'definition.json'), '{"version":"1.2.3"}');
    await writeFile(join(folder, 'build', 'build.zip'), await zipOf(folder, ['definition.json']));
    await writeFile(join(folder, 'build', 'source.zip'), 'the sources');
    await writeFile(join(folder, '.zapierapprc'), JSON.stringify({ id: Number(appId) }));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const start = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    run(process.execPath, args, {
      cwd: folder,
      env: {
        ...process.env,
        ZAPIER_ENDPOINT: endpoint,
        ZAPIER_APP_ID: appId,
        ZAPIER_DEPLOY_KEY: deployKey,
        DISABLE_ZAPIER_ANALYTICS: '1',
        ...env,
      },
    });
  const script = join(root, 'tools', 'release', 'uploadZapier.ts');

  it("sends what Zapier's own tool sends: both archives, byte for byte", async () => {
    await start([join(root, 'node_modules', 'zapier-platform-cli', 'src', 'bin', 'run'), 'upload']);
    const byTool = seen.find(({ method }) => method === 'PUT');
    await start([script, 'build', 'v1.2.3']);
    const byScript = seen.at(-1);
    const told = (request: typeof byTool) => ({
      ...request,
      body: JSON.parse(request?.body ?? '') as { zip_file: string },
      headers: ['accept', 'content-type', 'x-requested-with', 'x-deploy-key'].map((name) => request?.headers[name]),
    });
    expect(told(byScript)).toEqual(told(byTool));
    expect(Buffer.from(told(byScript).body.zip_file, 'base64')).toEqual(await readFile(join(folder, 'build', 'build.zip')));
  });

  it('ends with what Zapier said when it refuses the archive, and never with the key', async () => {
    status = 403;
    const failed = await start([script, 'build', 'v1.2.3']).catch(
      (error: unknown) => error as { code: number; stderr: string; stdout: string },
    );
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/did not accept version 1\.2\.3 \(status 403\).*This version is promoted/) as unknown,
    });
    expect(JSON.stringify(failed)).not.toContain(deployKey);
  });

  it('sends nothing without a version and a key', async () => {
    await expect(start([script, 'build', 'main'])).rejects.toMatchObject({ code: 1 });
    await expect(start([script, 'build', 'v1.2.3'], { ZAPIER_DEPLOY_KEY: '' })).rejects.toMatchObject({ code: 1 });
    expect(seen).toEqual([]);
  });
});
