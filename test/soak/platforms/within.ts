import { BrokenWire, type Wire, type WireAnswer, type WireRequest } from '../wire.ts';

/** The clock for a wait: virtual time, or the process's own. */
export interface Timers {
  set(fire: () => void, ms: number): number;
  clear(id: number): void;
}

/**
 * Sends a request like an HTTP client that follows every redirect, including to other hosts, with the token. n8n's helper does so unless it
 * is told not to.
 */
export async function following(send: (request: WireRequest) => Promise<WireAnswer>, request: WireRequest): Promise<WireAnswer> {
  const answer = await send(request);
  const { location } = answer.headers;
  return answer.status >= 300 && answer.status < 400 && location !== undefined
    ? send({ ...request, url: new URL(location, request.url).href })
    : answer;
}

/** Sends a request like an HTTP client that gives up after `ms`, or when it is cancelled. */
export async function within(wire: Wire, request: WireRequest, ms: number, time: Timers, calledOff?: AbortSignal): Promise<WireAnswer> {
  if (calledOff?.aborted === true) throw new BrokenWire('ERR_CANCELED');
  const abort = new AbortController();
  const late = Promise.withResolvers<never>();
  const end = (code: string): void => {
    abort.abort(new BrokenWire(code));
    late.reject(new BrokenWire(code));
  };
  const timer = time.set(() => end('ECONNABORTED'), ms);
  const callOff = (): void => end('ERR_CANCELED');
  calledOff?.addEventListener('abort', callOff, { once: true });
  try {
    return await Promise.race([wire(request, abort.signal), late.promise]);
  } finally {
    time.clear(timer);
    calledOff?.removeEventListener('abort', callOff);
  }
}
