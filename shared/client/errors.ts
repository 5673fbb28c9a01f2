import type { RefusalWords, Subject } from '../call.ts';
import { type FieldComplaint, type ErrorKind, ServiceError } from '../serviceError.ts';
import { inTime } from './retry.ts';
import {
  codeIn,
  complaints,
  messageIn,
  retryAfter,
  saysNothing,
  statusOf,
  withCode,
  isAboutRate,
  isAboutSubscriptionLimit,
  isRefusedInput,
  bareStatus,
} from '../reading/index.ts';
import { isObject, visible } from '../values.ts';
import { errorBody, errorCodes } from '../assumptions.ts';
import { brand } from '../brand.ts';
import { limits } from '../limits.ts';
import { scopes, type Scope } from '../scopes.ts';
import type { ApiResponse } from './ports.ts';
import { checkBetween, generalAdvice } from '../generalAdvice.ts';

interface RefusedCall extends Subject {
  status: number;
  /** The service's own words, shortened; empty if it sent none. */
  words: string;
  /** The status, if the response contains nothing more: then something else may have sent it. */
  bare?: string | undefined;
  fields: readonly FieldComplaint[];
  retryAfterSeconds: number | undefined;
  holdsOthers: boolean;
}

type ErrorText = (refusal: RefusedCall) => { message: string; advice: string };

/** A thing in a sentence: `the booking "bkg_1"`. */
export const describeResource = ({ resourceName, id }: Pick<Subject, 'resourceName' | 'id'>): string =>
  id === undefined ? `the ${resourceName}` : `the ${resourceName} "${visible(id)}"`;

const named = (subject: Subject) => `T${describeResource(subject).slice(1)}`;
const quoted = ({ words }: RefusedCall) => (words === '' ? '' : ` ${brand.name} says: "${words.replace(/\.$/, '')}".`);

/** The service's words, if they add something to our sentence. */
const added = (refusal: RefusedCall) => (saysNothing(refusal.words) ? '' : quoted(refusal));
/** Whether the service's words already name the slot, so that its complaints about single fields add nothing. */
const saysSo = ({ status, words, fields, slot }: RefusedCall): boolean =>
  fields.length === 0 || slot?.isTaken(status, { words, code: undefined, fields: [] }) === true;
const isList = ({ resourceName, id }: Subject): boolean => id === undefined && resourceName.endsWith('s');
const upgrade = `Upgrade the ${brand.name} account to the Pro plan or higher, then try again.`;
const elseUpgrade = 'If that fails, upgrade to the Pro plan or higher.';
const reconnect = 'Reconnect the account and accept all permissions.';

/** Advice for an account that has reached the limit of subscriptions. */
export const makeRoomForSubscription = 'Turn off unused triggers or delete a subscription, then try again.';
const permission = (scope: Scope | 'any') => (scope === 'any' ? '' : ` ${scope} (${scopes[scope].words})`);

/** Words that say that no token arrived. "token is missing the scope" does not say so. */
const withoutToken = [
  /\b(?:no|missing|without(?: an?)?) (?:(?:required|auth(?:orization|entication)?|access|bearer) ){0,3}(?:token|jwt|header|credentials?)\b/i,
  /\b(?:token|jwt|header|credentials?) (?:(?:is|was|are|were) )?(?:missing|absent|not (?:provided|present|set))(?! \w)/i,
];

/** Whether a 401 says that no token arrived, as opposed to a wrong one. */
const isWithoutToken = (words: string): boolean =>
  !/\b(?:invalid|wrong|expired|revoked|malformed|user|claim|match|exist)/i.test(words) && withoutToken.some((each) => each.test(words));

/** The table of errors: one row for each kind, with the same sentences on every platform. */
const table: Record<Exclude<ErrorKind, 'unreachable' | 'unreadable' | 'redirected' | 'notRenewed' | 'unknownOutcome'>, ErrorText> = {
  unauthenticated: (refusal) =>
    isWithoutToken(refusal.words)
      ? {
          message: `${brand.name} did not get the connection's token, although it was sent.${quoted(refusal)}`,
          advice: `Try again. If this goes on, ${checkBetween.slice(0, -1)} that removes the Authorization header, or reconnect the account.`,
        }
      : refusal.bare
        ? {
            message: `The token of the connection was not accepted at ${brand.name}${refusal.bare}.`,
            advice: `Try again. If this goes on, reconnect the account, and ${checkBetween}`,
          }
        : {
            message: `The connection to ${brand.name} has expired or was revoked.${added(refusal)}`,
            advice: 'Reconnect the account.',
          },
  scope: (refusal) => ({
    message: `This connection to ${brand.name} lacks the permission${permission(refusal.scope)} that is needed here.${added(refusal)}`,
    advice: reconnect,
  }),
  plan: (refusal) => ({
    message: `The plan of this ${brand.name} account does not include access for other applications.${added(refusal)}`,
    advice: upgrade,
  }),
  forbidden: (refusal) => ({
    message: `${brand.name} did not allow this.${quoted(refusal)}`,
    advice:
      refusal.scope === 'any'
        ? `${reconnect} ${elseUpgrade}`
        : `It needs the permission${permission(refusal.scope)}. ${reconnect} ${elseUpgrade}`,
  }),
  subscriptionLimit: (refusal) => ({
    message: `This ${brand.name} account has reached the limit of ${limits.subscriptions} active webhook subscriptions.${quoted(refusal)}`,
    advice: makeRoomForSubscription,
  }),
  notFound: (refusal) => ({
    message: `${isList(refusal) ? `The list of ${refusal.resourceName}` : named(refusal)} was not found${refusal.bare ?? ''}.${isList(refusal) ? quoted(refusal) : added(refusal)}`,
    advice:
      refusal.id === undefined
        ? `Check the base URL in the connection.${refusal.bare ? ` If it is right, ${checkBetween}` : ''}`
        : `It may be deleted, or in another account. Check its ID, or choose it again.${refusal.bare ? ` If it is there, ${checkBetween}` : ''}`,
  }),
  slotTaken: (refusal) => ({
    message: `That time is not free for this event type${refusal.slot ? `: ${refusal.slot.when}` : ''}.${quoted(refusal)}${saysSo(refusal) ? '' : ` ${listed(refusal)}`}`,
    advice: 'Choose another start.',
  }),
  alreadyCancelled: (refusal) => ({
    message: `${named(refusal)} is already cancelled.`,
    advice: 'There is nothing left to do.',
  }),
  conflict: (refusal) => ({
    message: `The change conflicts with the current state of ${describeResource(refusal)}.${quoted(refusal)}`,
    advice: 'Check it in the service, then try again.',
  }),
  invalid: (refusal) => ({
    message: `${brand.name} rejected the request${(refusal.words === '' && refusal.bare) || ''}.${refusal.fields.length > 0 ? `${added(refusal)} ${listed(refusal)}` : quoted(refusal)}`,
    advice: generalAdvice.rejected,
  }),
  // The number in the text is the endpoint's (section 8): subscription requests have their own limit.
  rateLimited: (refusal) =>
    refusal.holdsOthers
      ? {
          message: `The ${brand.name} account's rate limit${refusal.scope === 'webhooks:manage' ? ' for subscription requests' : ''} has been reached.${quoted(refusal)}`,
          advice: `Try again in ${inTime(refusal.retryAfterSeconds)}; the limit is ${
            refusal.scope === 'webhooks:manage'
              ? `${limits.subscriptionRequestsPerMinute} subscription requests`
              : `${limits.requestsPerMinute.toLocaleString('en')} requests`
          } a minute.`,
        }
      : {
          message: `${brand.name} does not accept this for now.${quoted(refusal)}`,
          advice: `Try again ${refusal.retryAfterSeconds === undefined ? 'later' : `in ${inTime(refusal.retryAfterSeconds)}`}.`,
        },
  server: (refusal) => ({
    message: `${brand.name} could not answer (status ${refusal.status}).${quoted(refusal)}`,
    advice: `Your request was fine. Try again in ${refusal.retryAfterSeconds === undefined ? 'a few minutes' : inTime(refusal.retryAfterSeconds)}.`,
  }),
};

const listed = ({ fields, labelOf = (field) => field }: RefusedCall) =>
  fields.map(({ field, message }) => `${labelOf(field)}: ${message.replace(/\.$/, '')}`).join('; ') + '.';

/**
 * The error for a refusal: by the service's code if it is known (G18, G19), otherwise by the status (section 7).
 *
 * @param now our clock, for dates in a response without a `Date`. Milliseconds since the epoch
 */
export function refusal(response: ApiResponse, subject: Subject, now: number): ServiceError {
  const { status } = response;
  const body = isObject(response.body) ? response.body : {};
  const code = codeIn(body);
  const fields = complaints(body);
  // The service's complaints about fields are left out here, because they are shown with the fields' labels.
  const said = messageIn(fields.length > 0 ? { ...body, [errorBody.detailsKey]: undefined } : response.body);
  const kind = kindOf(response, { words: said, code, fields }, subject);
  const words = withCode(said, code);
  const holdsOthers = kind === 'rateLimited' && isAboutRate(code, said, retryAfter(response.headers, now, false));
  // Every response may say when the window of its rate limit ends. That says nothing about a server error or another limit.
  const retryAfterSeconds = kind === 'rateLimited' || kind === 'server' ? retryAfter(response.headers, now, holdsOthers) : undefined;
  return new ServiceError(kind, {
    ...table[kind]({ ...subject, status, words, bare: bareStatus(response), fields, retryAfterSeconds, holdsOthers }),
    status,
    code,
    fields,
    retryAfterSeconds,
    holdsOthers,
    scope: (kind === 'scope' || kind === 'forbidden') && subject.scope !== 'any' ? subject.scope : undefined,
  });
}

/**
 * The error for a request that was not sent, because the service has refused others for the rate limit and asks for a wait of this many
 * seconds.
 */
export const rateLimited = (subject: Subject, retryAfterSeconds: number): ServiceError =>
  new ServiceError('rateLimited', {
    ...table.rateLimited({ ...subject, status: 429, words: '', fields: [], retryAfterSeconds, holdsOthers: true }),
    status: 429,
    retryAfterSeconds,
    holdsOthers: true,
  });

function kindOf(response: ApiResponse, said: RefusalWords, subject: Subject): keyof typeof table {
  const { words, code } = said;
  const status = statusOf(response);
  if (subject.scope === 'webhooks:manage' && code !== 'SUBSCRIPTION_LIMIT' && isAboutSubscriptionLimit(status, words, code))
    return 'subscriptionLimit';
  const byCode =
    code !== undefined && Object.hasOwn(errorCodes.codes, code) ? errorCodes.codes[code as keyof typeof errorCodes.codes] : undefined;
  if ((byCode === undefined || byCode === 'invalid') && subject.slot?.isTaken(response.status, said) === true) return 'slotTaken';
  if (byCode !== undefined && !(status >= 500 && byCode !== 'server')) return byCode as keyof typeof table;
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'notFound';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rateLimited';
  if (status === 408) return 'server';
  // Some servers send a 5xx also for input that they refuse by name.
  return status >= 500 && !isRefusedInput(response, words) ? 'server' : 'invalid';
}
