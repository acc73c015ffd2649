/** How much longer work takes now than it would on a processor of its own. */
export function contention(): number {
  const [begin, used] = [performance.now(), process.cpuUsage()];
  for (let sum = 0; performance.now() - begin < 200; ) for (let i = 0; i < 1e5; i++) sum += Math.sqrt(i);
  const { user, system } = process.cpuUsage(used);
  return Math.max(1, (performance.now() - begin) / ((user + system) / 1000));
}
