// Loaded before the program under test. It speeds up the clock, so that the service's minute is soon over, and reports the heap.
const [now, begun] = [Date.now, Date.now()];
Date.now = () => begun + (now() - begun) * 20;

process.on('SIGUSR2', () => {
  const { gc } = globalThis;
  gc?.();
  gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.stderr.write(`heap ${heapUsed} of ${rss}\n`);
});
