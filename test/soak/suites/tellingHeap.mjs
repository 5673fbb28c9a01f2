// Loaded before the program under test: its clock runs faster, so that the service's limit of a minute is soon over, and it tells its heap.
const [now, begun] = [Date.now, Date.now()];
Date.now = () => begun + (now() - begun) * 20;

process.on('SIGUSR2', () => {
  const { gc } = globalThis;
  gc?.();
  gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.stderr.write(`heap ${heapUsed} of ${rss}\n`);
});
