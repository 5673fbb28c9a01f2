import { DeliveryMemory } from '../../shared/webhooks/memory.ts';

describe('the memory of deliveries', () => {
  it('releases a claim, and only that one', () => {
    const memory = new DeliveryMemory();
    expect(['a', 'b'].map((key) => memory.claim([key]))).toEqual([true, true]);
    memory.release(['a']);
    memory.release(['never claimed'], 'nowhere');
    expect(['a', 'b'].map((key) => memory.claim([key]))).toEqual([true, false]);
  });

  it('claims several keys completely or not at all', () => {
    const memory = new DeliveryMemory();
    expect(memory.claim(['b'])).toBe(true);
    expect(memory.claim(['a', 'b'])).toBe(false);
    expect(memory.claim(['a'])).toBe(true);
  });

  it('holds the last 10,000, however many come and are repeated, and not many more', () => {
    const memory = new DeliveryMemory();
    const isFirst = (index: number) => memory.claim([`delivery ${index}`]);
    for (let index = 0; index < 35_000; index += 1) {
      if (!isFirst(index)) throw new Error(`${index} was never claimed.`);
      if (isFirst(index) || isFirst(Math.max(0, index - 5_000))) throw new Error('A repeat was taken for a new one.');
    }
    const last = Array.from({ length: 10_000 }, (_, index) => 25_000 + index);
    expect(last.filter(isFirst)).toEqual([]);
    expect(isFirst(35_000 - 11_001)).toBe(true);
  });

  it('forgets nothing at one place because of a flood at another, which forgets its own oldest', () => {
    const memory = new DeliveryMemory(100);
    for (let index = 0; index < 40; index += 1) memory.claim([`quiet ${index}`], 'here');
    for (let index = 0; index < 5_000; index += 1) memory.claim([`flood ${index}`], 'there');
    expect(Array.from({ length: 40 }, (_, index) => memory.claim([`quiet ${index}`], 'here'))).not.toContain(true);
    expect(Array.from({ length: 50 }, (_, index) => memory.claim([`flood ${4_950 + index}`], 'there'))).not.toContain(true);
    expect(memory.claim(['flood 4000'], 'there')).toBe(true);
  });

  it('divides itself among more places than it holds', () => {
    const memory = new DeliveryMemory(10);
    for (let index = 0; index < 1_000; index += 1) expect(memory.claim(['one'], `place ${index}`)).toBe(true);
    const known = Array.from({ length: 1_000 }, (_, index) => memory.claim(['one'], `place ${999 - index}`)).filter((isFirst) => !isFirst);
    expect(known.length).toBeGreaterThan(0);
    expect(known.length).toBeLessThanOrEqual(11);
  });

  it('forgets once it holds a tenth too many, and then only the excess', () => {
    const memory = new DeliveryMemory(100);
    const known = (place: string, from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => !memory.claim([`${from + index}`], place)).filter(Boolean).length;
    memory.claim(['0'], 'here');
    for (let index = 0; index < 109; index += 1) memory.claim([`${index}`], 'there');
    expect(known('there', 0, 109)).toBe(109);
    memory.claim(['109'], 'there');
    expect(known('there', 11, 110)).toBe(99);
    expect(memory.claim(['0'], 'here')).toBe(false);
    expect(memory.claim(['10'], 'there')).toBe(true);
  });

  it('forgets keys of the largest place, even if that came first', () => {
    const memory = new DeliveryMemory(100);
    for (let index = 0; index < 80; index += 1) memory.claim([`flood ${index}`], 'there');
    for (let index = 0; index < 20; index += 1) memory.claim([`quiet ${index}`], 'here');
    for (let index = 80; index < 200; index += 1) memory.claim([`flood ${index}`], 'there');
    expect(Array.from({ length: 20 }, (_, index) => memory.claim([`quiet ${index}`], 'here'))).not.toContain(true);
  });

  it('does not count released claims', () => {
    const memory = new DeliveryMemory(10);
    memory.claim(['kept']);
    for (let index = 0; index < 100; index += 1) {
      memory.claim([`${index}`]);
      memory.release([`${index}`]);
    }
    expect(memory.claim(['kept'])).toBe(false);
  });

  /** How many of its newest keys a place still knows. */
  const knownOf = (memory: DeliveryMemory, place: string, count: number): number => {
    let known = 0;
    while (known < count && !memory.claim([`${count - 1 - known}`], place)) known += 1;
    return known;
  };
  const fill = (memory: DeliveryMemory, place: string, count: number) =>
    Array.from({ length: count }, (_, index) => memory.claim([`${index}`], place));

  it('takes from equally large places equally, whatever places there were before', () => {
    const memory = new DeliveryMemory(100);
    for (let index = 0; index < 1_000; index += 1) {
      memory.claim(['one'], `gone ${index}`);
      memory.release(['one'], `gone ${index}`);
    }
    const places = ['a', 'b', 'c'];
    for (const place of places) fill(memory, place, 37);
    expect(places.map((place) => knownOf(memory, place, 37))).toEqual([33, 33, 34]);
  });
});
