import type { IncomingHttpHeaders } from 'node:http';

/** A delivery in the form in which an app's `perform` finds it in its bundle. */
export interface RawRequest {
  method: string;
  querystring: string;
  headers: Record<string, string>;
  content: string;
}

/**
 * Turns a received request into what Zapier passes to an app: the body as text, and every header except the two
 * that describe the body, with the prefix `Http-` and each part of its name capitalised (`X-TIME-GMT` becomes `Http-X-Time-Gmt`).
 */
export function rawRequest(request: { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer }): RawRequest {
  const headers = Object.entries(request.headers).map(
    ([name, value]) => [renamed(name), Array.isArray(value) ? value.join(', ') : (value ?? '')] as const,
  );
  return {
    method: request.method,
    querystring: request.url.split('?')[1] ?? '',
    headers: Object.fromEntries<string>(headers),
    content: request.body.toString('utf8'),
  };
}

/** The body as Zapier parses it for `cleanedRequest`: an object if it is one, otherwise nothing. */
export function cleanedRequest(raw: RawRequest): object {
  try {
    const value: unknown = JSON.parse(raw.content);
    return typeof value === 'object' && value !== null ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function renamed(name: string): string {
  const capitalised = name
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase())
    .join('-');
  return capitalised === 'Content-Type' || capitalised === 'Content-Length' ? capitalised : `Http-${capitalised}`;
}
