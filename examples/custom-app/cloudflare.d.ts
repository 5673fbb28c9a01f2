// The part of Cloudflare's types that worker.ts uses, so that the example compiles without them. `wrangler types` writes all of them; then
// delete this file.

interface DurableObjectState {
  storage: {
    sql: { exec(statement: string, ...values: (string | number | null)[]): { toArray(): unknown[] } };
    getAlarm(): Promise<number | null>;
    setAlarm(at: number): Promise<void>;
  };
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
