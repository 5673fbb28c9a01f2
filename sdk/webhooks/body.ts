/** Why a body could not be read. The name is for programs, the message for people. */
export type BodyFault = 'tooLong' | 'tooSlow' | 'brokenOff' | 'readBefore';

/** A body that did not arrive completely, or not as the bytes that were sent. */
export class UnreadableBody extends Error {
  readonly fault: BodyFault;

  constructor(fault: BodyFault, message: string) {
    super(message);
    this.name = 'UnreadableBody';
    this.fault = fault;
  }
}

/** The limits for reading a body. */
export interface Bounds {
  /** More than any delivery has. Bytes. */
  bodyBytes: number;
  /** How long the body may take to arrive. Milliseconds. */
  bodyMs: number;
}

export const brokenOff = (): UnreadableBody => new UnreadableBody('brokenOff', 'The body was incomplete.');

/** @throws UnreadableBody if the declared length is too long; the real length is checked while the body arrives */
export function checkLength(length: string | null | undefined, { bodyBytes }: Bounds): void {
  if (Number(length) > bodyBytes) throw tooLong(bodyBytes);
}

const tooLong = (bodyBytes: number): UnreadableBody =>
  new UnreadableBody('tooLong', `The body is longer than ${bodyBytes} bytes, which is too long for a delivery.`);

export const tooSlow = ({ bodyMs }: Bounds): UnreadableBody =>
  new UnreadableBody('tooSlow', `The body was not received within ${bodyMs / 1000} seconds.`);

/** A body that arrives in pieces. */
export class Gathered {
  readonly #pieces: Uint8Array[] = [];
  readonly #bodyBytes: number;
  #size = 0;

  constructor({ bodyBytes }: Bounds) {
    this.#bodyBytes = bodyBytes;
  }

  /** @throws UnreadableBody if the body becomes too long */
  add(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size > this.#bodyBytes) throw tooLong(this.#bodyBytes);
    this.#pieces.push(piece);
  }

  get bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}

/**
 * Waits for a body, at most as long as allowed.
 *
 * @throws UnreadableBody if it takes longer
 */
export async function inTime<Body>(body: Promise<Body>, bounds: Bounds): Promise<Body> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(bounds)), bounds.bodyMs);
  });
  try {
    return await Promise.race([body, late]);
  } finally {
    clearTimeout(timer);
  }
}
