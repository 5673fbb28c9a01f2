// G1, the header that says where a list continues: RFC 8288.

/** What stands in the header: the address of a link, or one of its parameters, whose text may be in quotation marks. */
const parts = /<([^<>]*)>|;\s*([\w*-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*)/g;

/** The address that a `Link` header gives for the next page; `undefined` if there is none. If a link repeats `rel`, the first counts. */
export function nextIn(header: string): string | undefined {
  let link = { address: '', hasRel: false };
  for (const [, address, name = '', value = ''] of header.matchAll(parts)) {
    if (address !== undefined) link = { address, hasRel: false };
    else if (name.toLowerCase() === 'rel' && !link.hasRel) {
      if (value.toLowerCase().replaceAll('"', '').split(/\s+/).includes('next')) return link.address;
      link.hasRel = true;
    }
  }
  return undefined;
}
