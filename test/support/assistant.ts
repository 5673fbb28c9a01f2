import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Sandbox } from '../../sandbox/service.ts';
import { Browser, type ShownPage } from '../../tools/rigs/zapier/browser.ts';

/** An assistant as the SDK's client implements one: it registers, signs in through a browser, and keeps its tokens. */
export class Assistant implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  /** What it has stored, as in a file of its own. */
  readonly stored: { client?: StoredOAuthClientInformation; tokens?: StoredOAuthTokens; verifier?: string; found?: OAuthDiscoveryState } =
    {};
  /** The address to which it last sent the person. */
  asked: URL | undefined;
  readonly #server: URL;

  constructor(origin: string, name: string, metadata: Partial<OAuthClientMetadata> = {}, clientMetadataUrl?: string, path = '/mcp') {
    this.#server = new URL(path, origin);
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [`https://${name.toLowerCase().replaceAll(/\W+/g, '-')}.example/callback`],
      ...metadata,
    };
    this.redirectUrl = this.clientMetadata.redirect_uris[0] ?? '';
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  state = (): string => crypto.randomUUID();
  clientInformation = (): StoredOAuthClientInformation | undefined => this.stored.client;
  saveClientInformation = (client: StoredOAuthClientInformation): void => void (this.stored.client = client);
  tokens = (): StoredOAuthTokens | undefined => this.stored.tokens;
  saveTokens = (tokens: StoredOAuthTokens): void => void (this.stored.tokens = tokens);
  redirectToAuthorization = (address: URL): void => void (this.asked = address);
  saveCodeVerifier = (verifier: string): void => void (this.stored.verifier = verifier);
  codeVerifier = (): string => this.stored.verifier ?? '';
  saveDiscoveryState = (found: OAuthDiscoveryState): void => void (this.stored.found = found);
  discoveryState = (): OAuthDiscoveryState | undefined => this.stored.found;

  transport(fetch?: typeof globalThis.fetch): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.#server, { authProvider: this, ...(fetch && { fetch }) });
  }

  /** Connects with its stored tokens. */
  async open(transport = this.transport()): Promise<Client> {
    const client = new Client({ name: String(this.clientMetadata.client_name), version: '1.0.0' });
    await client.connect(transport);
    return client;
  }

  /**
   * Connects and signs in as a person does.
   *
   * @param account of the service, which the person chooses there
   */
  async signIn(account?: string, browser = new Browser()): Promise<Client> {
    const transport = this.transport();
    await this.open(transport).then(
      () => {
        throw new Error('It was not asked to sign in.');
      },
      (error: unknown) => {
        if (!(error instanceof UnauthorizedError)) throw error;
      },
    );
    const landed = await throughPages(browser, String(this.asked), this.redirectUrl, account);
    await transport.finishAuth(new URL(landed.url).searchParams);
    return this.open();
  }
}

/** Takes a person through the two pages of a sign-in: ours, which names the assistant, and the service's. */
export async function throughPages(browser: Browser, address: string, stopAt: string, account?: string): Promise<ShownPage> {
  const ours = await browser.open(address, { stopAt });
  if (ours.status === 0) return ours;
  const theirs = await browser.press(ours, /^continue/i, { stopAt });
  return browser.press(theirs, /^allow/i, { stopAt, ...(account !== undefined && { fields: { account } }) });
}

/** Signs a person in to the page of connected assistants. */
export async function connectionsPage(browser: Browser, origin: string, account: string): Promise<ShownPage> {
  const consent = await browser.press(await browser.open(`${origin}/connections`), /^sign in/i);
  return browser.press(consent, /^allow/i, { fields: { account } });
}

/** A person with an own account and an assistant that is connected to it. @param assistantName the assistant's name on the pages */
export async function connectedPerson(sandbox: Sandbox, origin: string, name: string, assistantName = name) {
  const account = sandbox.addAccount({ name });
  const assistant = new Assistant(origin, assistantName);
  await (await assistant.signIn(account.id)).close();
  const { tokens, client } = assistant.stored;
  const eventType = sandbox.eventTypes().find((each) => each.account_id === account.id && each.name === 'Intro Call')?.id ?? '';
  return {
    ...{ account, assistant, eventType, client: client?.client_id ?? '' },
    ...{ token: tokens?.access_token ?? '', refresh: tokens?.refresh_token ?? '' },
  };
}

let hours = 0;
/** A booking at a time that no other call has used. */
export const bookingOf = (eventType: string) => ({
  event_type_id: eventType,
  start_time: new Date(Date.UTC(2031, 0, 1) + (hours += 1) * 3_600_000).toISOString(),
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
});

type ToolAnswer = Awaited<ReturnType<Client['callTool']>>;

/** Calls a tool. @throws an error with the tool's message if it reports one */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name, arguments: args });
  if (answer.isError === true) throw new Error(answer.content.map((each) => ('text' in each ? each.text : '')).join('\n'));
  return answer;
}

const recordsIn = ({ structuredContent }: ToolAnswer) => (structuredContent as { records: { id: string; name?: unknown }[] }).records;

export const idsOf = (answer: ToolAnswer): string[] => recordsIn(answer).map(({ id }) => id);
/** The id of the sandbox's event type without questions. */
export const introCall = (answer: ToolAnswer): string => recordsIn(answer).find(({ name }) => name === 'Intro Call')?.id ?? '';
export const idOf = ({ structuredContent }: ToolAnswer): string => (structuredContent as { id: string }).id;
