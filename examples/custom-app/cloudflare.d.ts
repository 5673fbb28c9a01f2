// What worker.ts uses of Cloudflare's types, so that the example compiles by itself. `wrangler types` writes all of them: then delete this file.

interface DurableObjectState {
  storage: { sql: { exec(statement: string, ...values: (string | number | null)[]): { toArray(): unknown[] } } };
}

interface DurableObjectNamespace {
  idFromName(name: string): object;
  get(id: object): { fetch(request: Request): Promise<Response> };
}

declare module 'cloudflare:workers' {
  export class DurableObject<Env> {
    constructor(state: DurableObjectState, env: Env);
    fetch(request: Request): Response | Promise<Response>;
  }
}
