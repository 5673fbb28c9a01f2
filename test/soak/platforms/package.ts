import { isServiceError } from '../../../sdk/errors.ts';
import { clientOf, type Method } from '../../../sdk/client/methods.ts';
import { connectionIn } from '../../../sdk/node/connectionIn.ts';
import { operations } from '../../../shared/operations/index.ts';
import type { VirtualTime } from '../time.ts';
import type { Wire } from '../wire.ts';
import { fetchOver, keeping, portsOver } from './overFetch.ts';
import { failure, type Connection, type Told } from './told.ts';

interface Surroundings {
  wire: Wire;
  time: VirtualTime;
  connection: Connection;
}

/** An application on the package for developers. It shows what it gets, and retries nothing by itself. */
export class Application {
  readonly #client: Record<string, Record<string, Method>>;

  constructor({ wire, time, connection }: Surroundings) {
    const ports = portsOver(wire, time);
    const made = clientOf(operations, {
      now: () => Date.now(),
      sleep: (milliseconds, over) => time.sleep(milliseconds, over),
      timeout: ports.timeout,
    });
    this.#client = made({ auth: connectionIn(keeping(connection), ports), baseUrl: connection.baseUrl, fetch: fetchOver(wire) });
  }

  /** Calls a method, and reads all pages of a list. */
  async call(group: string, method: string, input: Record<string, unknown> = {}): Promise<Told> {
    const found = this.#client[group]?.[method];
    if (found === undefined) throw new Error(`There is no ${group}.${method}.`);
    try {
      const answer = found(input);
      return { outcome: 'done', value: 'all' in answer ? await answer.all() : await answer };
    } catch (error) {
      if (isServiceError(error)) return failure(error.message, error.advice);
      return failure(String(error), 'Nobody said anything.');
    }
  }
}
