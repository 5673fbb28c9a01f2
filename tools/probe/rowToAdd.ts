/**
 * The row with which a field that the service sends gets a label: `room_name: { label: 'Room Name' },`. Its type follows from the value.
 */
export function rowToAdd(name: string, value?: unknown): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  const key = /^[\p{L}_]\w*$/u.test(name) ? name : `'${name.replaceAll(/['\\]/g, '\\$&')}'`;
  const type = typeOf(value);
  return `${key}: { label: '${words.join(' ')}'${type === undefined ? '' : `, type: '${type}'`} },`;
}

/** The type of a row; `undefined` for text, which needs none. */
function typeOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value;
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? 'datetime' : undefined;
  return typeof value === 'object' && value !== null ? 'object' : undefined;
}
