/** Why a body could not be read: a code for programs. The message is for people. */
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
  /** The maximum length, greater than that of any delivery. Bytes. */
  bodyBytes: number;
  /** How long the body may take to arrive. Milliseconds. */
  bodyMs: number;
}

export const brokenOff = (): UnreadableBody => new UnreadableBody('brokenOff', 'The body was incomplete.');

/**
 * Collects the bytes of a body that arrives in pieces.
 *
 * @param length the declared length; the real one is checked while the body arrives
 * @param read passes each piece to `take`; if `take` throws, it must stop
 * @throws UnreadableBody if the body is too long or takes too long, and the error of `read`
 */
export async function gathered(
  { bodyBytes, bodyMs }: Bounds,
  length: string | null | undefined,
  read: (take: (piece: Uint8Array) => void) => Promise<void>,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const check = (size: number): void => {
    if (size > bodyBytes)
      throw new UnreadableBody('tooLong', `The body is longer than ${bodyBytes} bytes, which is too long for a delivery.`);
  };
  check(Number(length));
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    // Created only when needed, because creating an error takes longer than reading a body.
    const give = (): void => reject(new UnreadableBody('tooSlow', `The body was not received within ${bodyMs / 1000} seconds.`));
    timer = setTimeout(give, bodyMs);
  });
  const take = (piece: Uint8Array): void => {
    check((size += piece.length));
    pieces.push(piece);
  };
  try {
    await Promise.race([read(take), late]);
  } finally {
    clearTimeout(timer);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
