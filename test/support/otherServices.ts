import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createCredential, type N8nSession } from '../../tools/rigs/n8n/session.ts';
import type { WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import type { Asked, Outside } from './outside.ts';

/** Environment variables for n8n (`extra`): its nodes run unchanged, but their requests to Google, HubSpot and Slack reach the stand-in. */
export const sendingTo = (outside: Outside): Record<string, string> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(__dirname, 'elsewhere.mjs')).href}`,
  HTTPS_GOES_TO: outside.origin,
});

/** The credentials of one of n8n's own nodes, as nodes refer to them. */
export type Credentials = Record<string, { id: string; name: string }>;

const oauth = { clientId: 'client', clientSecret: 'secret' };

/** Creates a connected credential for each service in the templates, keyed by the last part of the node's type. */
export async function connectServices(session: N8nSession, outside: Outside): Promise<Record<string, Credentials>> {
  outside.answer = () => ({ status: 200, body: '{"access_token":"token","token_type":"Bearer"}' });
  const made = async (type: string, data: Record<string, unknown>): Promise<Credentials> => {
    const { id, name } = await createCredential(session, { name: type, type, data });
    if (data === oauth) {
      const { searchParams } = new URL(String(await session.get(`/rest/oauth2-credential/auth?id=${id}`)));
      const back = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' });
      await session.fetch(`/rest/oauth2-credential/callback?${back.toString()}`);
    }
    return { [type]: { id, name } };
  };
  const connected = {
    gmail: await made('gmailOAuth2', oauth),
    hubspot: await made('hubspotOAuth2Api', oauth),
    slack: await made('slackApi', { accessToken: 'token' }),
    lmChatOpenAi: await made('openAiApi', { apiKey: 'none', url: `${outside.origin}/v1` }),
  };
  outside.forget();
  return connected;
}

/** A workflow whose nodes have their types' credentials, keyed by the full type or by its last part. */
export const withCredentials = (file: WorkflowFile, of: Record<string, Credentials>): WorkflowFile => ({
  ...file,
  nodes: file.nodes.map((node) => {
    const credentials = of[node.type] ?? of[node.type.split('.').at(-1) ?? ''];
    return credentials === undefined ? node : { ...node, credentials };
  }),
});

/** The credentials of our own nodes, for {@link withCredentials}. */
export const oursBy = (nodes: Record<string, string>, credentials: Credentials): Record<string, Credentials> =>
  Object.fromEntries(Object.values(nodes).flatMap((type) => [type, `${type}Tool`].map((each) => [each, credentials])));

/** A message as Gmail's node sends it. */
export function mailOf({ body }: Asked): { to: string; subject: string; text: string } {
  const [head = '', ...text] = Buffer.from(String(body['raw']), 'base64url').toString().split('\r\n\r\n');
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  return { to: header('To'), subject: header('Subject'), text: text.join('\n').trim() };
}
