import type { Assistant } from './hosted.ts';

type ToolAnswer = Awaited<ReturnType<Awaited<ReturnType<Assistant['open']>>['callTool']>>;

/** Calls a tool. @throws an error with its sentence if it reports one */
export async function callTool(client: Awaited<ReturnType<Assistant['open']>>, name: string, args: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name, arguments: args });
  if (answer.isError === true) throw new Error(answer.content.map((each) => ('text' in each ? each.text : '')).join('\n'));
  return answer;
}

const recordsIn = ({ structuredContent }: ToolAnswer) => (structuredContent as { records: { id: string; name?: unknown }[] }).records;

export const idsOf = (answer: ToolAnswer): string[] => recordsIn(answer).map(({ id }) => id);
/** An event type of the sandbox that asks nothing. */
export const introCall = (answer: ToolAnswer): string => recordsIn(answer).find(({ name }) => name === 'Intro Call')?.id ?? '';
export const idOf = ({ structuredContent }: ToolAnswer): string => (structuredContent as { id: string }).id;
