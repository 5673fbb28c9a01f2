/** The median: the middle value, or the mean of the two middle values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * The value below which a share of the values lies, interpolated between two of them.
 *
 * @param share 0 to 1
 * @throws if there is no value
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new RangeError('There is no value to take a quantile of.');
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * How a cost grows with a size: the slope of the line through the logarithms, by least squares. 1 is linear, 2 is quadratic.
 *
 * @param points pairs of size and cost, both above zero
 */
export function growth(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const meanX = mean(logs.map(([x]) => x));
  const meanY = mean(logs.map(([, y]) => y));
  const over = sum(logs.map(([x, y]) => (x - meanX) * (y - meanY)));
  return over / sum(logs.map(([x]) => (x - meanX) ** 2));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;

/** Returns a shuffled copy. The order is the same for the same seed, so that a run can be repeated. */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
