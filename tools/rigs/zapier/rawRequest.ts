import type { IncomingHttpHeaders } from 'node:http';

/** A delivery as an app's `perform` finds it in its bundle. */
export interface RawRequest {
  method: string;
  querystring: string;
  headers: Record<string, string>;
  content: string;
}

/**
 * Turns a request that came in into what Zapier hands to an app: the body as the text that was received, and every header but the two
 * that describe the body under `Http-`, each part of its name capitalised (`X-TIME-GMT` becomes `Http-X-Time-Gmt`).
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

/** The body as Zapier parses it for `cleanedRequest`: an object where it is one, else nothing. */
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
