import { createHash } from 'node:crypto';
import { jsonStringify, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

/**
 * Fields at the top of an item by whose name alone n8n means something: it takes a node for failed if its first item has an `error`, runs it
 * again with Retry On Fail, and hands such items to the error output; of an item with `$error` and `$json` it keeps only a message.
 */
const hostNames: readonly string[] = ['error', '$error'];

/** A record as the content of an item. A field of the service whose name means something to n8n is called `service_error` instead. */
export function itemContent(record: object): IDataObject {
  const renamed = (key: string): string => {
    if (!hostNames.includes(key)) return key;
    let name = `service_${key}`;
    while (Object.hasOwn(record, name)) name = `service_${name}`;
    return name;
  };
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [renamed(key), value as IDataObject]));
}

/** A short text that is the same for equal items only. In a retried execution, n8n has read them from its database. */
export function hashOfItems(items: readonly INodeExecutionData[]): string {
  const contents = items.map(({ json }) => json);
  const text = jsonStringify(contents, { replaceCircularRefs: true });
  return createHash('sha256').update(text).digest('base64url');
}
