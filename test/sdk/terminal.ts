import { PassThrough } from 'node:stream';

/** A person at a terminal: answers each question when it is printed. */
export interface Person {
  /** All that the terminal has shown. */
  shown(): string;
}

/**
 * Does `work` in front of a person.
 *
 * @param typed what they type, one line for each question; after the last one, they close the terminal
 */
export async function inFrontOf<Result>(typed: readonly string[], work: (person: Person) => Promise<Result>): Promise<Result> {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true });
  const before = keyboard.listenerCount('end');
  let shown = '';
  const left = [...typed];
  const screen = jest.spyOn(process.stderr, 'write').mockImplementation((piece) => {
    shown += String(piece);
    if (/[:?].* $/.test(shown) && String(piece).trim() !== '') {
      const next = left.shift();
      setImmediate(() => (next === undefined ? keyboard.end() : keyboard.write(`${next}\r`)));
    }
    return true;
  });
  const usual = Object.getOwnPropertyDescriptor(process, 'stdin');
  Object.defineProperty(process, 'stdin', { value: keyboard, configurable: true });
  try {
    const result = await work({ shown: () => shown });
    // Nothing waits for the keyboard any more, which would keep the program running.
    expect(keyboard.listenerCount('end')).toBe(before);
    return result;
  } finally {
    screen.mockRestore();
    if (usual !== undefined) Object.defineProperty(process, 'stdin', usual);
  }
}
