import type { ICredentialTestRequest } from 'n8n-workflow';
import { getCurrentUser } from '../../shared/operations/index.ts';
import { refusal, apiPath } from '../../shared/client/index.ts';
import { tokenCall } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { resources } from '../../shared/records/index.ts';
import { allScopes, oauthEndpoints, type OAuthEndpoints } from '../../shared/oauth/index.ts';
import { copyEnds } from '../../shared/values.ts';

/** The address in the credential's form, as an n8n expression: cleaned as the core cleans it. */
const addressOf = (form: '$self' | '$credentials') =>
  String.raw`${form}["baseUrl"].replace(/\p{Cf}/gu, "").replace(${String(copyEnds)}, "")`;

/**
 * The origin of the address in the credential's form, as an n8n expression: of an HTTPS address, or a plain one on this machine. Any other
 * address gives nothing, so that no code and no client secret is ever sent there.
 */
const originOf = (form: '$self' | '$credentials') =>
  String.raw`(${addressOf(form)}.match(/^(?:https:\/\/[^\/?#@\s]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)(?=\/|$)/i) || [""])[0]`;

const origin = originOf('$self');

const anyOrigin = 'https://any.invalid';

/** An OAuth address that follows the base URL in the form, as the core derives it. */
function following(address: keyof OAuthEndpoints): string {
  const path = oauthEndpoints(anyOrigin + new URL(brand.baseUrl).pathname)[address].slice(anyOrigin.length);
  const ownOrigin = new URL(brand.baseUrl).origin;
  const own = oauthEndpoints(brand.baseUrl)[address];
  const derived = `${origin} + "${path}"`;
  return own === ownOrigin + path ? `={{ ${derived} }}` : `={{ ${origin} === "${ownOrigin}" ? "${own}" : ${derived} }}`;
}

/** The hidden half of the credential's form. */
export const oauthDefaults = () => ({
  authorizeUrl: following('authorizeUrl'),
  tokenUrl: following('tokenUrl'),
  scope: allScopes,
  authentication: tokenCall.clientAuthentication === 'body' ? 'body' : 'header',
});

const notAccepted = refusal(
  { status: 401, headers: {}, body: undefined },
  { resourceName: resources.user.label, scope: 'any' },
  0,
).sentence;

/** Requested instead of an address that must not get a token. It does not exist, and n8n shows its name. */
const refusedAddress = 'https://the-base-address-must-begin-with-https.invalid';

/** n8n shows a test nothing but the status, and what is between here and the service answers with these as well. */
const refusedSomewhere = `${brand.name}, or something between here and the service such as a proxy or a firewall, refused the request (status 403). Check the base URL and the network. If both are right, reconnect the account and accept all permissions, and check that its plan (Pro or higher) includes access for other applications.`;
const tooManySomewhere = `${brand.name}, or something between here and the service, accepts no more requests for now (status 429). Try again in about a minute.`;

const redirectedSomewhere = `${brand.name}, or something between here and the service such as a sign-in page of the network, redirected the request. Check the base URL and the network.`;
const answeredByPage = `Something between here and the service answered with a web page or plain text, so ${brand.name} was probably not reached. Check the base URL and the network.`;

const nothingThere = `No ${brand.name} service was found at this base URL. An address without a path is tried with ${apiPath}. Enter one like ${brand.baseUrl}.`;

const byStatus = [
  ...Object.entries({ 401: notAccepted, 403: refusedSomewhere, 404: nothingThere, 429: tooManySomewhere }),
  ...['301', '302', '303', '307', '308'].map((status): [string, string] => [status, redirectedSomewhere]),
].map(([status, message]) => ({ type: 'responseCode' as const, properties: { value: Number(status), message } }));

/** n8n only compares values: what is not JSON stays text, and text has this. */
const notText = { type: 'responseSuccessBody', properties: { key: 'constructor.name', value: 'String', message: answeredByPage } } as const;

/** The connection test: who am I? Refusals are shown in the words of the table of errors. A 404 means that the address is wrong. */
export const credentialTest = (): ICredentialTestRequest => ({
  request: {
    method: 'GET',
    baseURL: `={{ ${originOf('$credentials')} === "" ? "${refusedAddress}" : ${addressOf('$credentials')}.replace(/\\/+$/, "").replace(/^[^\\/]+:\\/\\/[^\\/]+$/, "$&${apiPath}") }}`,
    // Without the method and the version, with which the base URL ends.
    url: getCurrentUser.endpoint.replace(/^\S+ \/[^/]+/, ''),
    disableFollowRedirect: true,
  },
  // The type allows one kind of rule, and n8n checks each by its own.
  rules: [...byStatus, notText] as (typeof byStatus)[number][],
});
