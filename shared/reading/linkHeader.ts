// G1: the `Link` header, which says where a list continues (RFC 8288).

/** The parts of the header: a link's address, or a parameter, whose value may be in quotation marks. */
const parts = /<([^<>]*)>|;\s*([\w*-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*)/g;

/** The address of the next page in a `Link` header; `undefined` if there is none. If a link repeats `rel`, the first counts. */
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
