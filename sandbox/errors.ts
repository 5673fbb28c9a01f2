import { serviceOf } from './serviceRows.ts';
import { filled } from './services.ts';
import type { Forms } from './variants.ts';

export interface Detail {
  field: string;
  message: string;
}

/** The codes of G18, each with its status and name (section 7 of the public document). */
const CODES = {
  INVALID_TOKEN: [401, 'Unauthorized'],
  INSUFFICIENT_SCOPE: [403, 'Insufficient scope'],
  PLAN_REQUIRED: [403, 'Pro plan required'],
  SUBSCRIPTION_LIMIT: [403, 'Subscription limit reached'],
  NOT_FOUND: [404, 'Not found'],
  VALIDATION_ERROR: [400, 'Validation failed'],
  SLOT_UNAVAILABLE: [400, 'Slot unavailable'],
  ALREADY_CANCELLED: [400, 'Booking already cancelled'],
  RATE_LIMITED: [429, 'Rate limit exceeded'],
  INTERNAL_ERROR: [500, 'Internal server error'],
} as const satisfies Record<string, readonly [number, string]>;

/** A message about the subscription limit that lacks the word "subscription" (G19). */
const LIMIT_WITHOUT_THE_WORD = 'Maximum number of webhooks reached (25)';

type ErrorCode = keyof typeof CODES;

/** The service refuses a request. The message is for the sender, and is sent only if the form has messages (G17). */
export class ApiRefusal extends Error {
  readonly code: ErrorCode;
  readonly details: Detail[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, more: { details?: Detail[]; headers?: Record<string, string> } = {}) {
    super(message);
    this.code = code;
    this.details = more.details;
    this.headers = more.headers ?? {};
  }
}

/** A 400 that names one field. */
export function invalid(field: string, message: string): ApiRefusal {
  return new ApiRefusal('VALIDATION_ERROR', `${field}: ${message}`, { details: [{ field, message }] });
}

/** The response to a refusal: section 7 and G16 to G19, in the chosen forms. */
export function errorResponse(refusal: ApiRefusal, forms: Forms): Response {
  const status = statusOf(refusal, forms);
  const headers = new Headers(refusal.headers);
  if (forms.errorBody === 'empty') return new Response(null, { status, headers });
  const [type, text] = {
    json: ['application/json', JSON.stringify(jsonBody(refusal, forms))],
    html: ['text/html; charset=utf-8', `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>proxy</body></html>`],
    text: ['text/plain; charset=utf-8', `upstream answered ${status}`],
  }[forms.errorBody] as [string, string];
  headers.set('content-type', type);
  return new Response(text, { status, headers });
}

function statusOf({ code }: ApiRefusal, forms: Forms): number {
  if (code === 'SUBSCRIPTION_LIMIT') return Number(forms.limitStatus);
  const [status] = CODES[code];
  return status === 400 ? Number(forms.refusal) : status;
}

function jsonBody(refusal: ApiRefusal, forms: Forms): Record<string, unknown> {
  const { code, message, details } = refusal;
  const service = serviceOf(forms);
  if (service?.error !== undefined) {
    const facts = { code: service.codes?.[code] ?? code, message, status: statusOf(refusal, forms), reason: CODES[code][1] };
    return filled(service.error, facts) as Record<string, unknown>;
  }
  const namedByMessage = code === 'SUBSCRIPTION_LIMIT' && forms.limitNamed !== 'code';
  const said = namedByMessage && forms.limitNamed === 'webhooks' ? LIMIT_WITHOUT_THE_WORD : message;
  const foreign = namedByMessage || (forms.errorCode === 'unknown' && code !== 'INVALID_TOKEN');
  return {
    error: namedByMessage ? 'Refused' : CODES[code][1],
    code: foreign ? `E${4000 + Object.keys(CODES).indexOf(code)}` : code,
    ...(forms.errorMessage === 'present' || namedByMessage ? { message: said } : {}),
    ...(details !== undefined && forms.errorDetails === 'present' ? { details } : {}),
  };
}

/** The service's error body for a status. For a status that it never sends, the body names the status. */
export function errorBodyForStatus(status: number): Record<string, unknown> {
  const [code, [, name]] = Object.entries(CODES).find(([, [known]]) => known === status) ?? [
    `HTTP_${status}`,
    [status, `Status ${status}`],
  ];
  return { error: name, code };
}
