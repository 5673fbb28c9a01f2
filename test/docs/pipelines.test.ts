import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { parse } from 'yaml';
import { root } from '../../tools/root.cjs';
import { serve } from '../support/serve.ts';
import { publishPipeline } from '../../tools/build/split/pipeline.ts';

const run = promisify(execFile);
const ofProject = (name: string): string => readFileSync(join(root, '.github', 'workflows', name), 'utf8');

const pipelines = {
  'release.yml': ofProject('release.yml'),
  'test.yml': ofProject('test.yml'),
  'security.yml': ofProject('security.yml'),
  "the split repository's publish.yml": publishPipeline,
};

interface Job {
  name: string;
  text: string;
  /** Whether it holds a permission or a secret with which something can be published. */
  publishes: boolean;
}

/** The jobs of a pipeline, found by the indentation of these files. */
function jobsOf(pipeline: string): Job[] {
  const [, jobs = ''] = pipeline.split(/^jobs:\n/m);
  return jobs
    .split(/^(?= {2}\w+:$)/m)
    .filter((text) => text.trim() !== '')
    .map((text) => ({
      name: /^ {2}(\w+):/.exec(text)?.[1] ?? '',
      text,
      publishes: /: write\b|secrets\./.test(text),
    }));
}

const perJob = (judge: (job: Job) => boolean) => (pipeline: string) =>
  jobsOf(pipeline)
    .filter((job) => !judge(job))
    .map(({ name }) => name);
const perPublisher = (judge: (job: Job) => boolean) => perJob((job) => !job.publishes || judge(job));
const actionsOf = (pipeline: string) => [...pipeline.matchAll(/^.*\buses:.*$/gm)].map(([line]) => line.trim());

const rules: { says: string; complaints: (pipeline: string) => string[] }[] = [
  {
    says: 'every action is pinned by the hash of a commit, with its version beside it',
    complaints: (pipeline) =>
      actionsOf(pipeline).filter((line) => !/^- uses: [\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
  },
  {
    says: 'nothing is allowed at the top',
    complaints: (pipeline) => (/^permissions: \{\}$/m.test(pipeline) ? [] : ['permissions']),
  },
  {
    says: 'every job names what it may do',
    complaints: perJob(({ text }) => /^ {4}permissions:$/m.test(text)),
  },
  {
    says: 'no checkout leaves its token behind',
    complaints: perJob(({ text }) =>
      text
        .split('actions/checkout@')
        .slice(1)
        .every((step) => /^.*\n\s+with:\n\s+persist-credentials: false/.test(step)),
    ),
  },
  {
    says: 'what is fetched is one version, kept as a file, and held against its checksum before it is used',
    complaints: (pipeline) =>
      pipeline
        .split('\n')
        .flatMap((line, at, lines) => (/\bcurl\b/.test(line) ? [[line, lines[at + 1] ?? '']] : []))
        .filter(([fetched = '', next = '']) => {
          const [, file = '?'] = /--output (\S+) https:\/\/\S+\/v\d+\.\d+\.\d+\/\S+$/.exec(fetched) ?? [];
          return /echo '[0-9a-f]{64} {2}(\S+)' \| sha256sum --check --strict$/.exec(next)?.[1] !== file;
        })
        .map(([fetched = '']) => fetched),
  },
  {
    says: 'no expression stands inside a script',
    complaints: (pipeline) => pipeline.match(/^\s*(?:- )?run:.*\$\{\{.*$/gm) ?? [],
  },
];

const publishingRules: typeof rules = [
  {
    says: 'somebody publishes',
    complaints: (pipeline) => (jobsOf(pipeline).some(({ publishes }) => publishes) ? [] : ['nobody']),
  },
  {
    says: 'who may publish installs and builds nothing',
    complaints: perPublisher(
      ({ text }) => !/\b(npm (ci|install|i|run|test|exec|pack)|npx|yarn|pnpm|apt-get|pip)\b|install\.mjs|run\.mjs/.test(text),
    ),
  },
  {
    says: 'what is published was built by a job that may not, and its checksums came another way',
    complaints: perPublisher(
      ({ text }) =>
        /needs: (\[check, )?build(, mcp)?\]?\n/.test(text) &&
        /actions\/download-artifact@/.test(text) &&
        /CHECKSUMS: \$\{\{ needs\.build\.outputs\.checksums \}\}\n\s+run: .*sha256sum --check --strict\n\s+working-directory: release/.test(
          text,
        ),
    ),
  },
  {
    says: 'the checksums are checked before anything is published',
    complaints: perPublisher(({ text }) => /sha256sum[^]*(npm publish|uploadZapier|mcp-publisher publish|gh release create)/.test(text)),
  },
  {
    says: 'every package is published as the file that was built, running nothing of it',
    complaints: (pipeline) =>
      (pipeline.match(/npm publish.*\n.*\n/g) ?? ['nothing']).filter(
        (step) =>
          !/^npm publish \.\/[\w*[\]-]*\.tgz --provenance --access public --ignore-scripts\n\s+working-directory: release\n$/.test(step),
      ),
  },
  {
    says: 'who may publish fetches nothing but what was built',
    complaints: perPublisher(({ text }) => !/\b(curl|wget|git clone|go install)\b/.test(text)),
  },
  {
    says: 'who may publish reads no cache',
    complaints: perPublisher(
      ({ text }) =>
        !/actions\/cache@/.test(text) &&
        text
          .split('actions/setup-node@')
          .slice(1)
          .every((step) => step.split('- ')[0]?.includes('package-manager-cache: false')),
    ),
  },
  {
    says: 'no token of the registry is stored',
    complaints: (pipeline) => pipeline.match(/NPM_TOKEN|NODE_AUTH_TOKEN/g) ?? [],
  },
];

describe.each(Object.entries(pipelines))('%s', (name, pipeline) => {
  it.each(/^(test|security)\.yml$/.test(name) ? rules : [...rules, ...publishingRules])('$says', ({ complaints }) => {
    expect(complaints(pipeline)).toEqual([]);
  });
});

it('an action is the same commit wherever it is used', () => {
  const used = new Set(Object.values(pipelines).flatMap(actionsOf));
  expect(used.size).toBe(new Set([...used].map((line) => line.split('@')[0])).size);
});

describe('a release', () => {
  interface Step {
    name?: string;
    uses?: string;
    run?: string;
    with?: Record<string, string>;
  }
  const { jobs } = parse(ofProject('release.yml')) as { jobs: Record<string, { steps: Step[] }> };
  const stepsOf = (job: string): Step[] => jobs[job]?.steps ?? [];

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
    const onlyTags = [{ name: 'v*', type: 'tag' }];
    const unprotected = 'No active ruleset protects the tags v* from being created, updated and deleted.';
    const tooOpen = 'The environment mcp is open to more than tags that match v*.';

    it.each<[string, string, { ruleset?: object; environment?: object; policies?: object[] }]>([
      ['as docs/provider/release.md says', '', {}],
      ['a rule that is only tried', unprotected, { ruleset: { ...ruleset, enforcement: 'evaluate' } }],
      [
        'a rule with exceptions',
        unprotected,
        { ruleset: { ...ruleset, conditions: { ref_name: { include: ['refs/tags/v*'], exclude: ['refs/tags/v1*'] } } } },
      ],
      [
        'an environment that nobody has to approve',
        'Nobody has to approve the environment mcp.',
        { environment: { ...environment, protection_rules: [] } },
      ],
      ['an environment for a branch, too', tooOpen, { policies: [...onlyTags, { name: 'v*', type: 'branch' }] }],
    ])('%s: %s', async (_, says, odd) => {
      const settings: Record<string, unknown> = {
        'rulesets?per_page=100&targets=tag': [{ id: 7 }],
        'rulesets/7': odd.ruleset ?? ruleset,
      };
      for (const name of ['n8n', 'mcp', 'sdk', 'zapier']) {
        settings[`environments/${name}`] = (name === 'mcp' ? odd.environment : undefined) ?? environment;
        settings[`environments/${name}/deployment-branch-policies?per_page=100`] = {
          branch_policies: (name === 'mcp' ? odd.policies : undefined) ?? onlyTags,
        };
      }
      const port = await serve(({ url = '' }, response) => {
        const known = settings[url.replace('/repos/owner/name/', '')];
        response.writeHead(known === undefined ? 404 : 200).end(JSON.stringify(known ?? {}));
      });
      const [program = '', ...args] = (stepsOf('check').find(({ name }) => name?.includes('are protected') === true)?.run ?? '').split(' ');
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
    const signed = stepsOf('bundle').find(({ uses }) => uses?.startsWith('actions/attest-build-provenance@') === true)?.with;
    expect(signed?.['subject-path']?.trim().split('\n')).toEqual(
      ['*.mcpb', '*.tgz', 'build.zip', 'source.zip'].map((file) => `release/${file}`),
    );
  });
});

test('what ships is built and tested on other systems, and every lock file and the code are watched', async () => {
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*package-lock.json'], { cwd: root });
  const folders = stdout
    .trim()
    .split('\n')
    .map((file) => `/${dirname(file)}`.replace(/^\/\.$/, '/'));
  const workflow = (name: string) =>
    parse(ofProject(name)) as { on: { schedule?: unknown }; jobs: Record<string, Record<string, unknown>> };
  const { systems } = workflow('test.yml').jobs;
  expect(systems).toMatchObject({ strategy: { matrix: { os: ['windows-latest', 'macos-latest'] } } });
  expect(JSON.stringify(systems)).toMatch(/npm run build.*npm run test:fast/);
  const { on, jobs } = workflow('security.yml');
  expect(on.schedule).toHaveLength(1);
  expect(JSON.stringify(jobs['code'])).toMatch(/codeql-action\/init@.*codeql-action\/analyze@/);
  const { updates } = parse(readFileSync(join(root, '.github', 'dependabot.yml'), 'utf8')) as { updates: Record<string, unknown>[] };
  const updated = [updates.find((each) => each['package-ecosystem'] === 'npm')?.['directories']].flat().map(String);
  expect(folders.filter((folder) => !updated.some((pattern) => matchesGlob(folder, pattern)))).toEqual([]);
  const audited = ((jobs['vulnerabilities']?.['steps'] ?? []) as { run?: string; 'working-directory'?: string }[])
    .filter(({ run: script }) => script?.includes('npm audit') === true)
    .map((step) => (step.run?.includes("git ls-files 'tools/rigs/**") === true ? '/tools/rigs/**' : `/${step['working-directory'] ?? ''}`));
  expect(folders.filter((folder) => !audited.some((pattern) => matchesGlob(folder, pattern)))).toEqual([]);
});

/** An archive of one file, not compressed. Zapier's tool reads the version in it. */
function zipOf(name: string, text: string): Buffer {
  const [file, content] = [Buffer.from(name), Buffer.from(text)];
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(content.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(file.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, file, content]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, Buffer.alloc(14), file]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end]);
}

describe('uploading to Zapier', () => {
  const appId = '4711';
  const deployKey = 'dk_only_for_this_test';
  let folder: string;
  let seen: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }[];
  let status: number;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(request.method === 'PUT' ? status : 200, { 'content-type': 'application/json', connection: 'close' });
      response.end(
        JSON.stringify(request.method === 'PUT' ? { errors: ['This version is promoted.'] } : { id: Number(appId), status: 'public' }),
      );
    });
  });

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(async () => {
    [seen, status] = [[], 200];
    folder = await mkdtemp(join(tmpdir(), 'upload-'));
    await mkdir(join(folder, 'build'));
    await writeFile(join(folder, 'build', 'build.zip'), zipOf('definition.json', JSON.stringify({ version: '1.2.3' })));
    await writeFile(join(folder, 'build', 'source.zip'), 'the sources');
    await writeFile(join(folder, '.zapierapprc'), JSON.stringify({ id: Number(appId) }));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const start = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    run(process.execPath, args, {
      cwd: folder,
      env: {
        ...process.env,
        ZAPIER_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cli`,
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

  it.each([
    ['a tag that is not a version', ['build', 'main'], {}],
    ['no folder', [], {}],
    ['an app id that is not a number', ['build', 'v1.2.3'], { ZAPIER_APP_ID: '../1' }],
    ['no key', ['build', 'v1.2.3'], { ZAPIER_DEPLOY_KEY: '' }],
  ])('sends nothing with %s', async (_, args, env) => {
    await expect(start([script, ...args], env)).rejects.toMatchObject({ code: 1 });
    expect(seen).toEqual([]);
  });
});
