import { createHash } from 'node:crypto';
import { jsonStringify, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

/**
 * Top-level fields of an item whose names have a meaning to n8n. If the first item has an `error`, n8n treats the node as failed, repeats
 * it with Retry On Fail, and sends such items to the error output. Of an item with `$error` and `$json`, it keeps only a message.
 */
const hostNames: readonly string[] = ['error', '$error'];

/**
 * A record as the content of an item. A field of the service whose name has a meaning to n8n is renamed, for example to `service_error`.
 */
export function itemContent(record: object): IDataObject {
  const renamed = (key: string): string => {
    if (!hostNames.includes(key)) return key;
    let name = `service_${key}`;
    while (Object.hasOwn(record, name)) name = `service_${name}`;
    return name;
  };
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [renamed(key), value as IDataObject]));
}

/** A hash that is equal only for equal items. It ignores identity: in a retried execution, n8n has read them from its database. */
export function hashOfItems(items: readonly INodeExecutionData[]): string {
  const contents = items.map(({ json }) => json);
  const text = jsonStringify(contents, { replaceCircularRefs: true });
  return createHash('sha256').update(text).digest('base64url');
}
