import { brand } from '../../shared/brand.ts';

/** What the application is told by its environment. */
export interface Settings {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** Of the application's own pages, which this machine alone reaches. */
  port: number;
  /** Of what the service and the consent page reach: the delivery address and the callback, and nothing else. */
  publicPort: number;
  /** The address of the public port; it must be https and public for a service that is not on this machine. */
  publicUrl: string;
  /** Where tokens and the signing secret are kept. */
  file: string;
}

/** @throws a sentence when the client id or the client secret is missing */
export function readSettings({
  BASE_URL = brand.baseUrl,
  CLIENT_ID = '',
  CLIENT_SECRET = '',
  PORT = '4030',
  PUBLIC_PORT = '4031',
  PUBLIC_URL,
  DATA = '.local/custom-app.json',
}: NodeJS.ProcessEnv): Settings {
  if (CLIENT_ID === '' || CLIENT_SECRET === '')
    throw new Error('Set CLIENT_ID and CLIENT_SECRET to what the service gave you for this application.');
  return {
    baseUrl: BASE_URL,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    port: Number(PORT),
    publicPort: Number(PUBLIC_PORT),
    publicUrl: PUBLIC_URL ?? `http://127.0.0.1:${PUBLIC_PORT}`,
    file: DATA,
  };
}
