/** Loaded into n8n before its own code (`--import`): its https requests go to HTTPS_GOES_TO instead, with their host as `x-host`. */
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const to = new URL(process.env['HTTPS_GOES_TO'] ?? '');

/** The only form of `https.request` that n8n uses. */
const request = (
  /** @type {import('node:https').RequestOptions} */ options,
  /** @type {(response: http.IncomingMessage) => void} */ answered,
) => {
  const headers = { ...options.headers, 'x-host': String(options.hostname) };
  const { method, path } = options;
  return http.request({ method, path, headers, hostname: to.hostname, port: to.port }, answered);
};
Object.assign(https, { request });
syncBuiltinESMExports();
