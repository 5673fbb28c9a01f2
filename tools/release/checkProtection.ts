/**
 * `node tools/release/checkProtection.ts`: fails if somebody who may not release could push a version tag or use an environment that
 * publishes. It finds what was forgotten in the repository's settings (docs/provider/release.md). Only those settings protect, because a
 * tag runs the pipeline of its own commit.
 *
 * It needs only Node.js. From the environment of a workflow: GITHUB_API_URL, GITHUB_REPOSITORY, and GH_TOKEN, which may read the
 * repository's actions. Exits with 1 and a sentence for each gap.
 */
const { GITHUB_API_URL: api = '', GITHUB_REPOSITORY: repository = '', GH_TOKEN: token = '' } = process.env;

interface Ruleset {
  target: string;
  enforcement: string;
  conditions?: { ref_name?: { include: string[]; exclude: string[] } };
  rules: { type: string }[];
}

interface Environment {
  protection_rules?: { type: string }[];
  deployment_branch_policy: { custom_branch_policies: boolean } | null;
}

async function read<Answer>(path: string): Promise<Answer> {
  const address = `${api}/repos/${repository}/${path}`;
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` };
  const answer = await fetch(address, { headers, redirect: 'error' });
  if (!answer.ok) throw new Error(`${address} answered with the status ${answer.status}.`);
  return (await answer.json()) as Answer;
}

/** Whether only the people whom the ruleset exempts can create, move or delete a version tag. */
const protectsVersions = ({ target, enforcement, conditions, rules }: Ruleset): boolean =>
  target === 'tag' &&
  enforcement === 'active' &&
  conditions?.ref_name?.include.some((pattern) => ['~ALL', 'refs/tags/v*'].includes(pattern)) === true &&
  conditions.ref_name.exclude.length === 0 &&
  ['creation', 'update', 'deletion'].every((wanted) => rules.some(({ type }) => type === wanted));

async function gapsIn(name: string): Promise<string[]> {
  const gaps: string[] = [];
  const { protection_rules: rules = [], deployment_branch_policy: policy } = await read<Environment>(`environments/${name}`);
  if (!rules.some(({ type }) => type === 'required_reviewers')) gaps.push(`Nobody has to approve the environment ${name}.`);
  const { branch_policies: allowed } =
    policy?.custom_branch_policies === true
      ? await read<{ branch_policies: { name: string; type?: string }[] }>(`environments/${name}/deployment-branch-policies?per_page=100`)
      : { branch_policies: [] };
  if (allowed.length === 0 || !allowed.every((each) => each.type === 'tag' && each.name === 'v*'))
    gaps.push(`The environment ${name} is open to more than tags that match v*.`);
  return gaps;
}

try {
  const listed = await read<{ id: number }[]>('rulesets?per_page=100&targets=tag');
  // The list does not include the rules.
  const rulesets = await Promise.all(listed.map(({ id }) => read<Ruleset>(`rulesets/${id}`)));
  const tags = rulesets.some(protectsVersions) ? [] : ['No active ruleset protects the tags v* from being created, updated and deleted.'];
  const gaps = [...tags, ...(await Promise.all(['n8n', 'mcp', 'sdk', 'zapier'].map(gapsIn))).flat()];
  if (gaps.length > 0) throw new Error(gaps.join('\n'));
  console.log('Version tags and environments are protected.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
