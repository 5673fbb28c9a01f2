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

/** A body that arrives in pieces. */
export class Gathered {
  readonly #bounds: Bounds;
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;

  /** @throws UnreadableBody if the declared length is too long; the real length is checked while the body arrives */
  constructor(bounds: Bounds, length: string | null | undefined) {
    this.#bounds = bounds;
    this.#check(Number(length));
  }

  /** @throws UnreadableBody if the body becomes too long */
  add(piece: Uint8Array): void {
    this.#size += piece.length;
    this.#check(this.#size);
    this.#pieces.push(piece as Uint8Array<ArrayBuffer>);
  }

  #check(length: number): void {
    const { bodyBytes } = this.#bounds;
    if (length > bodyBytes)
      throw new UnreadableBody('tooLong', `The body is longer than ${bodyBytes} bytes, which is too long for a delivery.`);
  }

  /**
   * The bytes, once all of them have come.
   *
   * @throws UnreadableBody if they take longer than allowed, and the error of `whole`
   */
  async once(whole: Promise<void>): Promise<Uint8Array> {
    const { bodyMs } = this.#bounds;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const tooSlow = new UnreadableBody('tooSlow', `The body was not received within ${bodyMs / 1000} seconds.`);
      timer = setTimeout(() => reject(tooSlow), bodyMs);
    });
    try {
      await Promise.race([whole, late]);
    } finally {
      clearTimeout(timer);
    }
    return new Uint8Array(await new Blob(this.#pieces).arrayBuffer());
  }
}
