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
import { publishPipeline } from '../../tools/build/split/repository.ts';

const run = promisify(execFile);
const ofProject = (name: string): string => readFileSync(join(root, '.github', 'workflows', name), 'utf8');

const releasing = ofProject('release.yml');
const pipelines = {
  'release.yml': releasing,
  'test.yml': ofProject('test.yml'),
  'security.yml': ofProject('security.yml'),
  'probe.yml': ofProject('probe.yml'),
  'zones.yml': ofProject('zones.yml'),
  "the split repository's publish.yml": publishPipeline,
};

it.each(Object.entries(pipelines))('%s is what its host takes', async (_, pipeline) => {
  const folder = await mkdtemp(join(tmpdir(), 'pipeline-'));
  // The validator does not know this permission yet.
  await writeFile(join(folder, 'pipeline.yml'), pipeline.replace(/^ +attestations: write\n/m, ''));
  await run(process.execPath, [join(root, 'node_modules', '@action-validator', 'cli', 'cli.mjs'), join(folder, 'pipeline.yml')]);
  await rm(folder, { recursive: true });
});

it.each([releasing, publishPipeline])(
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

describe('the weekly probe and the weekly look at time zones', () => {
  const { jobs } = parse(pipelines['probe.yml']) as { jobs: Record<string, { steps: Step[] }> };
  const [account, ...others] = Object.values(jobs).flatMap(({ steps }) => steps);
  const last = others.at(-1);
  const { jobs: ofZones } = parse(pipelines['zones.yml']) as { jobs: Record<string, { steps: Step[] }> };
  const told = Object.values(ofZones)[0]?.steps.at(-1);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'probe-'));
    // What was opened last is in a file, and nothing else of the host is used.
    const gh = `case "$1 $2" in
'issue list') cat "$ISSUE" 2>/dev/null || true ;;
'issue create') cat > "$ISSUE"; echo "$@" ;;
esac`;
    const npm = 'printf "%s" "$REPORT"; exit "$CODE"';
    const git = 'case "$*" in *--quiet*) test -z "$DIFF" ;; *) printf "%s" "$DIFF" ;; esac';
    for (const [name, text] of Object.entries({ gh, npm, git }))
      await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs a step as its host does. @returns what it printed, or its exit code if it failed */
  const runStep = (script: string, env: Record<string, string>): Promise<string | number> =>
    run('bash', ['-eo', 'pipefail', '-c', script], {
      env: { PATH: `${folder}:${process.env['PATH']}`, ISSUE: join(folder, 'issue'), GITHUB_OUTPUT: join(folder, 'output'), ...env },
    }).then(
      ({ stdout }) => stdout.trim(),
      (error: unknown) => (error as { code: number }).code,
    );

  it('opens an issue when an answer changes, and none while it stays or only the number of records changes', async () => {
    const week = (report: string, code = 1) => runStep(last?.run ?? '', { REPORT: report, CODE: String(code) });
    const opened = expect.stringContaining('issue create --title The service answers differently --label probe') as unknown;
    expect(await week('As assumed (2 of 2)', 0)).toBe('');
    expect(await week('Differs (1 of 2)\n  G3 17 records are an array')).toEqual(opened);
    expect(await week('Differs (1 of 2)\n  G3 18 records are an array')).toBe('');
    expect(await week('Differs (1 of 2)\n  G3 no records')).toEqual(opened);
    expect(await week('As assumed (2 of 2)', 0)).toEqual(opened);
    // The service did not answer.
    expect(await week('')).toBe(1);
    expect(await readFile(join(folder, 'issue'), 'utf8')).toBe('As assumed (2 of 2)');
  });

  it('opens an issue with the rows when the law of a zone changes, once', async () => {
    const week = (diff: string) => runStep(told?.run ?? '', { DIFF: diff });
    const opened = expect.stringContaining('issue create --title The law of a time zone has changed --label zones') as unknown;
    expect(await week('')).toBe('');
    expect(await week("+  { zones: ['Europe/Berlin'] }")).toEqual(opened);
    expect(await readFile(join(folder, 'issue'), 'utf8')).toContain("```diff\n+  { zones: ['Europe/Berlin'] }\n```");
    expect(await week("+  { zones: ['Europe/Berlin'] }")).toBe('');
    expect(await week("+  { zones: ['Europe/Paris'] }")).toEqual(opened);
  });

  it('does nothing without the token of a test account, which only the step that probes gets', async () => {
    expect(await runStep(account?.run ?? '', { TOKEN: '' })).toContain('nothing is probed');
    await expect(readFile(join(folder, 'output'), 'utf8')).rejects.toThrow('ENOENT');
    await runStep(account?.run ?? '', { TOKEN: 'token' });
    expect(await readFile(join(folder, 'output'), 'utf8')).toBe('exists=true\n');
    expect(others.filter((step) => step.if !== 'steps.account.outputs.exists')).toEqual([]);
    expect(others.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.'))).toEqual([last]);
  });
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
    await writeFile(join(folder, 'build', 'build.zip'), zipOf([{ name: 'definition.json', content: Buffer.from('{"version":"1.2.3"}') }]));
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
