import * as z from 'zod/v4';

/** A model at an address that is compatible with OpenAI's API. */
export interface Model {
  /** The base address, such as `https://api.example.com/v1`. */
  url: string;
  name: string;
  /** Sent as a bearer token and stored nowhere; most models on one's own machine need none. */
  key: string | undefined;
}

/** Loose, because a model's additional fields must be sent back to it: some need them in the next request. */
const Message = z.looseObject({
  tool_calls: z.array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) })).nullish(),
});
const Completion = z.looseObject({
  choices: z.array(z.looseObject({ message: Message })).min(1),
  usage: z.looseObject({ total_tokens: z.number() }).nullish(),
});

interface ModelAnswer {
  message: z.infer<typeof Message>;
  tokens: number;
}

/** How often a model that is too busy is asked, and how long each attempt may take. Milliseconds. */
const [mostTries, longestMs] = [4, 180_000];

/** @throws an error with a message for people if the address does not respond as a model does */
export async function ask(
  { url, name, key }: Model,
  messages: readonly object[],
  tools: readonly object[],
  tries = 1,
): Promise<ModelAnswer> {
  const address = `${url.replace(/\/$/, '')}/chat/completions`;
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model: name, messages, tools }),
    signal: AbortSignal.timeout(longestMs),
  };
  const [response, text] = await fetch(address, request)
    .then(async (answer) => [answer, await answer.text()] as const)
    .catch((error: Error) => {
      const { code, message } = (error.cause ?? error) as { code?: string; message: string };
      throw new Error(`${address} gave no answer (${code ?? message}). Check --url.`);
    });
  if ((response.status === 429 || response.status >= 500) && tries < mostTries) {
    const seconds = Number(response.headers.get('retry-after') ?? NaN);
    await new Promise((resolve) => setTimeout(resolve, (Number.isFinite(seconds) ? seconds : 5 * tries) * 1000));
    return ask({ url, name, key }, messages, tools, tries + 1);
  }
  if (!response.ok)
    throw new Error(`${address} answered ${response.status}: ${(key === undefined ? text : text.replaceAll(key, '[key]')).slice(0, 300)}`);
  const read = Completion.safeParse(parsed(text));
  const [choice] = read.data?.choices ?? [];
  if (choice === undefined) throw new Error(`${address} did not answer as a model does. Check --url: it usually ends in /v1.`);
  return { message: choice.message, tokens: read.data?.usage?.total_tokens ?? 0 };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
