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

const pipelines = {
  'release.yml': ofProject('release.yml'),
  'test.yml': ofProject('test.yml'),
  'security.yml': ofProject('security.yml'),
  'probe.yml': ofProject('probe.yml'),
  "the split repository's publish.yml": publishPipeline,
};

interface Step {
  if?: string;
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}
interface Job {
  permissions?: Record<string, string>;
  needs?: string | string[];
  steps: Step[];
}

const jobsOf = (pipeline: string): Job[] => Object.values((parse(pipeline) as { jobs: Record<string, Job> }).jobs);
const stepsOf = (pipeline: string): Step[] => jobsOf(pipeline).flatMap(({ steps }) => steps);
const usesOf = (pipeline: string, action: string): Step[] =>
  stepsOf(pipeline).filter(({ uses }) => uses?.startsWith(`${action}@`) === true);
const actionsOf = (pipeline: string) => [...pipeline.matchAll(/\buses:.*$/gm)].map(([line]) => line);

describe.each(Object.entries(pipelines))('%s', (_, pipeline) => {
  it('is what its host takes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipeline-'));
    // The validator does not know this permission yet.
    await writeFile(join(folder, 'pipeline.yml'), pipeline.replace(/^ +attestations: write\n/m, ''));
    await run(process.execPath, [join(root, 'node_modules', '@action-validator', 'cli', 'cli.mjs'), join(folder, 'pipeline.yml')]);
    await rm(folder, { recursive: true });
  });

  it('pins every action by the hash of a commit, with its version beside it, and has no expression inside a script', () => {
    for (const line of actionsOf(pipeline)) expect(line).toMatch(/^uses: [\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(stepsOf(pipeline).filter(({ run: script = '' }) => script.includes('${{'))).toEqual([]);
    // What is fetched is checked by its checksum.
    for (const { run: script = '' } of stepsOf(pipeline))
      expect(script).not.toMatch(/\bcurl\b.*\n(?!echo '[0-9a-f]{64} .*sha256sum --check --strict)/);
  });

  it('allows nothing at the top, each job names what it may do, and no checkout leaves its token behind', () => {
    expect((parse(pipeline) as { permissions: unknown }).permissions).toEqual({});
    expect(jobsOf(pipeline).filter(({ permissions }) => permissions === undefined)).toEqual([]);
    for (const { with: given } of usesOf(pipeline, 'actions/checkout')) expect(given?.['persist-credentials']).toBe(false);
  });
});

describe.each([pipelines['release.yml'], publishPipeline])('who may publish', (pipeline) => {
  /** The jobs with a permission or a secret with which something can be published. */
  const publishers = jobsOf(pipeline).filter((job) => /:"write"|secrets\./.test(JSON.stringify(job)));

  it('installs, builds and fetches nothing, and reads no cache', () => {
    expect(publishers).not.toEqual([]);
    const forbidden =
      /\b(npm (ci|install|i|run|test|exec|pack)|npx|yarn|pnpm|apt-get|pip|curl|wget|git clone|go install)\b|install\.mjs|run\.mjs/;
    for (const { steps } of publishers)
      for (const { run: script = '', uses = '', with: given } of steps) {
        expect(script).not.toMatch(forbidden);
        expect(uses).not.toMatch(/^actions\/cache@/);
        if (uses.startsWith('actions/setup-node@')) expect(given?.['package-manager-cache']).toBe(false);
      }
  });

  it('first checks what a job built that may not, by checksums that came another way', () => {
    for (const { needs = [], steps } of publishers) {
      expect([needs].flat()).toContain('build');
      const checked = steps.findIndex(({ run: script }) => script?.includes('sha256sum --check --strict') === true);
      expect(steps.slice(0, checked).some(({ uses }) => uses?.startsWith('actions/download-artifact@') === true)).toBe(true);
      expect(steps[checked]).toMatchObject({
        env: { CHECKSUMS: '${{ needs.build.outputs.checksums }}' },
        'working-directory': 'release',
      });
      const publishing = /npm publish|uploadZapier|mcp-publisher publish|gh release create/;
      expect(steps.slice(0, checked).filter(({ run: script = '' }) => publishing.test(script))).toEqual([]);
    }
  });

  it('publishes every package as the file that was built, running nothing of it, and with no stored token', () => {
    const scripts = stepsOf(pipeline).flatMap(({ run: script = '' }) => (script.includes('npm publish') ? [script.trim()] : []));
    expect(scripts).not.toEqual([]);
    for (const script of scripts)
      expect(script).toMatch(/^npm publish \.\/(?:\$FILE|\*\.tgz) --provenance --access public --ignore-scripts$/);
    expect(pipeline).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
  });
});

it('an action is the same commit wherever it is used', () => {
  const used = new Set(Object.values(pipelines).flatMap(actionsOf));
  expect(used.size).toBe(new Set([...used].map((line) => line.split('@')[0])).size);
});

describe('the weekly probe', () => {
  const [account, ...others] = stepsOf(pipelines['probe.yml']);
  const last = others.at(-1);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'probe-'));
    // What was opened last is in a file, and nothing else of the host is used.
    const gh = `case "$1 $2" in
'issue list') cat "$ISSUE" 2>/dev/null || true ;;
'issue create') cat > "$ISSUE"; echo "$@" ;;
esac`;
    const npm = 'printf "%s" "$REPORT"; exit "$CODE"';
    for (const [name, text] of Object.entries({ gh, npm })) await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
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

  it('does nothing without the token of a test account, which only the step that probes gets', async () => {
    expect(await runStep(account?.run ?? '', { TOKEN: '' })).toContain('nothing is probed');
    await expect(readFile(join(folder, 'output'), 'utf8')).rejects.toThrow('ENOENT');
    await runStep(account?.run ?? '', { TOKEN: 'token' });
    expect(await readFile(join(folder, 'output'), 'utf8')).toBe('exists=true\n');
    expect(others.filter((step) => step.if !== 'steps.account.outputs.exists')).toEqual([]);
    expect(others.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.'))).toEqual([last]);
  });
});

describe('a release', () => {
  describe('first looks at the settings of the repository', () => {
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
      const [program = '', ...args] = (
        stepsOf(pipelines['release.yml']).find(({ name }) => name?.includes('are protected') === true)?.run ?? ''
      ).split(' ');
      expect(program).toBe('node');
      const env = { ...process.env, GITHUB_API_URL: `http://127.0.0.1:${port}`, GITHUB_REPOSITORY: 'owner/name', GH_TOKEN: 'none' };
      const ended = await run(process.execPath, args, { cwd: root, env }).then(
        () => '',
        (error: unknown) => (error as { stderr: string }).stderr.trim(),
      );
      expect(ended).toBe(says);
    });
  });

  it('signs everything that it publishes', () => {
    const [{ with: signed } = {}] = usesOf(pipelines['release.yml'], 'actions/attest-build-provenance');
    expect(String(signed?.['subject-path']).trim().split('\n')).toEqual(
      ['*.mcpb', '*.tgz', 'build.zip', 'source.zip'].map((file) => `release/${file}`),
    );
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
