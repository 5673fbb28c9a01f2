import * as z from 'zod/v4';
import { Browser } from '../zapier/browser.ts';
import type { N8nSession } from './session.ts';

const Credential = z.looseObject({ id: z.string(), name: z.string(), type: z.string() });
export type Credential = z.infer<typeof Credential>;

/** A credential's dialog: `data` contains the values of its form. */
export interface CredentialForm {
  name: string;
  type: string;
  data: Record<string, unknown>;
}

export async function createCredential(session: N8nSession, form: CredentialForm): Promise<Credential> {
  return Credential.parse(await session.post('/rest/credentials', form));
}

/** Saves a credential again. It must then be connected again. */
export async function updateCredential(session: N8nSession, id: string, form: CredentialForm): Promise<Credential> {
  return Credential.parse(await session.patch(`/rest/credentials/${id}`, form));
}

export async function listCredentials(session: N8nSession): Promise<Credential[]> {
  return z.array(Credential).parse(await session.get('/rest/credentials'));
}

/** The redirect address to register with the service: where n8n expects the browser to return. */
export function redirectUri(n8nOrigin: string): string {
  return `${n8nOrigin}/rest/oauth2-credential/callback`;
}

/**
 * Connects a credential as the button in n8n's dialog does: asks n8n for the address of the consent page, presses that page's button
 * in a browser, and returns to n8n with the cookie of the signed-in person.
 *
 * @param button the button to press on the consent page
 * @throws a readable error if the service or n8n refuses
 */
export async function connectCredential(session: N8nSession, id: string, button = /allow|approve|authori[sz]e|connect/i): Promise<void> {
  const authorizeUrl = z.string().parse(await session.get(`/rest/oauth2-credential/auth?id=${id}`));
  const back = redirectUri(session.origin);
  const browser = new Browser();
  const consent = await browser.open(authorizeUrl, { stopAt: back });
  const landed = consent.status === 0 ? consent : await browser.press(consent, button, { stopAt: back });
  if (landed.status !== 0) throw new Error(`The service did not send the browser back to n8n: its page answered ${landed.status}.`);
  const answer = await session.fetch(landed.url);
  const page = await answer.text();
  // The message that n8n's page gives to the editor that opened it. A refusal is also a page with status 200.
  if (!page.includes("postMessage('success')")) {
    throw new Error(
      `n8n did not accept the connection: ${page
        .replace(/<(style|script)[\s\S]*?<\/\1>/gi, '')
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 300)}`,
    );
  }
}

const Made = z.looseObject({ rawApiKey: z.string() });

/** A key for n8n's own API, and a credential with it that workflows of this n8n can use. */
export async function createApiCredential(session: N8nSession, name: string, scopes: readonly string[]): Promise<Credential> {
  const { rawApiKey } = Made.parse(await session.post('/rest/api-keys', { label: name, scopes, expiresAt: null }));
  return createCredential(session, { name, type: 'n8nApi', data: { apiKey: rawApiKey, baseUrl: `${session.origin}/api/v1` } });
}
