import * as z from 'zod/v4';
import type { Assistant } from './hosted.ts';

/** What a tool's answer has for programs. */
const Result = z.looseObject({ isError: z.boolean().optional(), content: z.array(z.looseObject({ text: z.string().optional() })) });
const Listed = z.looseObject({
  structuredContent: z.looseObject({ records: z.array(z.looseObject({ id: z.string(), name: z.unknown() })) }),
});
const Made = z.looseObject({ structuredContent: z.looseObject({ id: z.string() }) });

/** Calls a tool. @throws an error with its sentence if it reports one */
export async function callTool(client: Awaited<ReturnType<Assistant['open']>>, name: string, args: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name, arguments: args });
  const { isError, content } = Result.parse(answer);
  if (isError === true) throw new Error(content.map(({ text = '' }) => text).join('\n'));
  return answer;
}

export const idsOf = (answer: unknown): string[] => Listed.parse(answer).structuredContent.records.map(({ id }) => id);
/** An event type of the sandbox that asks nothing. */
export const introCall = (answer: unknown): string =>
  Listed.parse(answer).structuredContent.records.find(({ name }) => name === 'Intro Call')?.id ?? '';
export const idOf = (answer: unknown): string => Made.parse(answer).structuredContent.id;
