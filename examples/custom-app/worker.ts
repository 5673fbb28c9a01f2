/**
 * The same application on Cloudflare Workers. One durable object holds the SQLite database and handles every request, so nothing is done
 * twice at the same time. Everyone can reach a worker, so its own pages require a password.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Row, Sql } from 'acme-scheduling/stores';
import { Hono } from 'hono';
import { createApplication, type Application } from './application.ts';
import { ownSite } from './ownSite.ts';
import { publicSite } from './publicSite.ts';
import { filled, readSettings } from './settings.ts';

/** The worker's environment: the settings of `settings.ts`, `PUBLIC_URL` with its address, and the durable object. */
interface Environment {
  APPLICATION: DurableObjectNamespace;
  PUBLIC_URL: string;
  [setting: string]: unknown;
}

export class Site extends DurableObject<Environment> {
  readonly #fetch: (request: Request) => Response | Promise<Response>;
  readonly #application: Application;
  readonly #checkLater: () => Promise<void>;

  constructor(state: DurableObjectState, env: Environment) {
    super(state, env);
    const sql: Sql = async (statement, values) => state.storage.sql.exec(statement, ...values).toArray() as Row[];
    const settings = readSettings(filled(env), { siteUrl: env.PUBLIC_URL, publicUrl: env.PUBLIC_URL, isReachable: true, polls: false });
    const application = createApplication(settings, sql, (line) => console.log(line));
    this.#application = application;
    this.#checkLater = () => state.storage.setAlarm(Date.now() + settings.checkSeconds * 1000);
    // An object without requests is unloaded, and its alarm loads it again.
    void state.storage.getAlarm().then((at) => (at === null ? this.#checkLater() : undefined));
    const [open, own] = [publicSite(application), ownSite(application, [new URL(env.PUBLIC_URL).origin])];
    const isOpen = (request: Request): boolean => ['/deliveries', '/callback'].includes(new URL(request.url).pathname);
    this.#fetch = (request) => (isOpen(request) ? open.fetch(request) : own.fetch(request));
  }

  override fetch(request: Request): Response | Promise<Response> {
    return this.#fetch(request);
  }

  /** Checks the subscription. */
  async alarm(): Promise<void> {
    await this.#checkLater();
    await this.#application.begin().catch((error: unknown) => console.error(error instanceof Error ? error.message : error));
  }
}

const worker = new Hono<{ Bindings: Environment }>();
worker.all('*', ({ env, req }) => env.APPLICATION.get(env.APPLICATION.idFromName('site')).fetch(req.raw));

export default worker;
