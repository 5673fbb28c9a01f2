/** Loaded into n8n before its own code (`--import`): what it sends by https arrives at HTTPS_GOES_TO instead, with its host as `x-host`. */
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const to = new URL(process.env['HTTPS_GOES_TO'] ?? '');

/** Of its forms, n8n uses only this one. */
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
