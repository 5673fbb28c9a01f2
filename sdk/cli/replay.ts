import { createInterface } from 'node:readline';
import type { Subscribed, WebhookEvent } from '../webhooks/index.ts';
import { signedBody } from '../webhooks/signature.ts';
import { post } from './forward.ts';

/** The maximum number of deliveries that can be sent again. */
const maxKept = 100;

interface Kept {
  event: string;
  line: string;
  body: string;
}

/** The verified deliveries of one run, to be sent again. They are about people, so they are kept in memory only. */
export class Replay {
  readonly #kept = new Map<string, Kept>();

  /** @param line what was printed about the delivery */
  keep({ event, delivery_key: key }: WebhookEvent, line: string, body: Uint8Array): void {
    this.#kept.set(key, { event, line, body: new TextDecoder().decode(body) });
    const [oldest = ''] = this.#kept.keys();
    if (this.#kept.size > maxKept) this.#kept.delete(oldest);
  }

  /**
   * Sends deliveries again for each line that a person types, until the signal aborts: all of them for an empty line, otherwise those
   * whose line contains what was typed.
   */
  async run(to: string, { signing_secret: secret }: Subscribed, signal: AbortSignal, say: (text: string) => void): Promise<void> {
    for await (const typed of createInterface({ input: process.stdin, signal })) {
      const wanted = [...this.#kept.values()].filter(({ line }) => line.includes(typed.trim()));
      if (wanted.length === 0) say(this.#kept.size === 0 ? 'There is no delivery yet.' : 'No delivery contains that.');
      for (const each of wanted) {
        if (signal.aborted) return;
        say(await again(to, each, secret));
      }
    }
  }
}

/** A new delivery of the same record: a program that handles each delivery once handles this one too. */
async function again(to: string, { event, body: before }: Kept, secret: string): Promise<string> {
  try {
    const content = { ...(JSON.parse(before) as object), created_at: new Date().toISOString() };
    const { headers, body } = await signedBody(event, content, secret);
    return `${new URL(to).host} answered ${event}, sent again, with ${await post(to, Object.entries(headers).flat(), body)}.`;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}, so it may not have handled ${event}.`;
  }
}
