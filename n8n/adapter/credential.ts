import type { ICredentialTestRequest } from 'n8n-workflow';
import { getCurrentUser } from '../../shared/operations/index.ts';
import { refusal, apiPath } from '../../shared/client/index.ts';
import { tokenCall } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { resources } from '../../shared/records/index.ts';
import { allScopes, oauthEndpoints, type OAuthEndpoints } from '../../shared/oauth/index.ts';
import { copyEnds } from '../../shared/values.ts';

/** An n8n expression for the base URL in the credential's form, cleaned in the same way as the core cleans it. */
const addressOf = (form: '$self' | '$credentials') =>
  String.raw`${form}["baseUrl"].replace(/\p{Cf}/gu, "").replace(${String(copyEnds)}, "")`;

/**
 * An n8n expression for the origin of the base URL in the credential's form. It accepts an HTTPS address, or a plain HTTP one on this
 * machine. Any other address yields an empty text, so that no code and no client secret is ever sent there.
 */
const originOf = (form: '$self' | '$credentials') =>
  String.raw`(${addressOf(form)}.match(/^(?:https:\/\/[^\/?#@\s]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)(?=\/|$)/i) || [""])[0]`;

const origin = originOf('$self');

const anyOrigin = 'https://any.invalid';

/** An OAuth address derived from the base URL in the form, by the core's rule. */
function following(address: keyof OAuthEndpoints): string {
  const path = oauthEndpoints(anyOrigin + new URL(brand.baseUrl).pathname)[address].slice(anyOrigin.length);
  const ownOrigin = new URL(brand.baseUrl).origin;
  const own = oauthEndpoints(brand.baseUrl)[address];
  const derived = `${origin} + "${path}"`;
  return own === ownOrigin + path ? `={{ ${derived} }}` : `={{ ${origin} === "${ownOrigin}" ? "${own}" : ${derived} }}`;
}

/** The hidden fields of the credential's form. */
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

/** Requested instead of an address that must not get a token. It does not exist, and n8n shows this name in its error. */
const refusedAddress = 'https://the-base-address-must-begin-with-https.invalid';

/** After a failed test, n8n shows only the status, which a proxy or firewall between n8n and the service may also have sent. */
const refusedSomewhere = `${brand.name}, or something between here and the service such as a proxy or a firewall, refused the request (status 403). Check the base URL and the network. If both are right, reconnect the account and accept all permissions, and check that its plan (Pro or higher) includes access for other applications.`;
const tooManySomewhere = `${brand.name}, or something between here and the service, accepts no more requests for now (status 429). Try again in about a minute.`;

const redirectedSomewhere = `${brand.name}, or something between here and the service such as a sign-in page of the network, redirected the request. Check the base URL and the network.`;
const answeredByPage = `Something between here and the service answered with a web page or plain text, so ${brand.name} was probably not reached. Check the base URL and the network.`;

const nothingThere = `No ${brand.name} service was found at this base URL. An address without a path is tried with ${apiPath}. Enter one like ${brand.baseUrl}.`;

const byStatus = [
  ...Object.entries({ 401: notAccepted, 403: refusedSomewhere, 404: nothingThere, 429: tooManySomewhere }),
  ...['301', '302', '303', '307', '308'].map((status): [string, string] => [status, redirectedSomewhere]),
].map(([status, message]) => ({ type: 'responseCode' as const, properties: { value: Number(status), message } }));

/** n8n can only compare values: what is not JSON stays a string, and a string has this constructor name. */
const notText = { type: 'responseSuccessBody', properties: { key: 'constructor.name', value: 'String', message: answeredByPage } } as const;

/**
 * The connection test: reads the current user. Refusals are shown in the sentences of the core's table of errors. A 404 means that the base
 * URL is wrong.
 */
export const credentialTest = (): ICredentialTestRequest => ({
  request: {
    method: 'GET',
    baseURL: `={{ ${originOf('$credentials')} === "" ? "${refusedAddress}" : ${addressOf('$credentials')}.replace(/\\/+$/, "").replace(/^[^\\/]+:\\/\\/[^\\/]+$/, "$&${apiPath}") }}`,
    // The path without the method and without the version, with which the base URL already ends.
    url: getCurrentUser.endpoint.replace(/^\S+ \/[^/]+/, ''),
    disableFollowRedirect: true,
  },
  // n8n's type allows only one kind of rule; n8n itself checks each by its own type.
  rules: [...byStatus, notText] as (typeof byStatus)[number][],
});
