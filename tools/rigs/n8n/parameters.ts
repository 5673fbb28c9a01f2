import * as z from 'zod/v4';
import type { N8nSession } from './session.ts';

/** A node and the values that are filled in so far. n8n's editor sends this when it fills a list. */
export interface ParameterRequest {
  nodeType: string;
  typeVersion?: number;
  /** The parameter's path, such as `parameters.eventType`. */
  path: string;
  methodName: string;
  parameters?: Record<string, unknown>;
  credentials?: Record<string, { id: string; name: string }>;
}

const SearchResults = z.looseObject({
  results: z.array(z.looseObject({ name: z.string(), value: z.unknown(), description: z.string().optional() })),
  paginationToken: z.unknown(),
});
const MapperFields = z.looseObject({
  fields: z.array(z.looseObject({ id: z.string(), displayName: z.string(), type: z.string().optional(), required: z.boolean() })),
  emptyFieldsNotice: z.string().optional(),
});

/** One page of a searchable list (`listSearch`). */
export async function searchList(
  session: N8nSession,
  request: ParameterRequest,
  options: { filter?: string; paginationToken?: unknown } = {},
): Promise<z.infer<typeof SearchResults>> {
  return SearchResults.parse(
    await session.post('/rest/dynamic-node-parameters/resource-locator-results', { ...bodyOf(request), ...options }),
  );
}

/** The fields of a resource mapper for the values that are chosen so far. */
export async function mapperFields(session: N8nSession, request: ParameterRequest): Promise<z.infer<typeof MapperFields>> {
  return MapperFields.parse(await session.post('/rest/dynamic-node-parameters/resource-mapper-fields', bodyOf(request)));
}

function bodyOf({ nodeType, typeVersion = 1, path, methodName, parameters = {}, credentials }: ParameterRequest): object {
  return {
    nodeTypeAndVersion: { name: nodeType, version: typeVersion },
    path,
    methodName,
    currentNodeParameters: parameters,
    ...(credentials ? { credentials } : {}),
  };
}
