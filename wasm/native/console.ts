/** `console` as in Node: text goes to the standard output, or to the standard error. */
export function addConsole(print: (error: boolean, text: string) => void): void {
  const to = (error: boolean) => (...values: unknown[]): void => print(error, `${values.map(shown).join(' ')}\n`);
  const [output, errors] = [to(false), to(true)];
  const console = { log: output, info: output, debug: output, warn: errors, error: errors, trace: errors };
  Object.assign(globalThis, { console });
}

function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}n` : String(value);
  if (value instanceof Error) return String(value.stack || value);
  try {
    return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? String(value);
  } catch {
    return String(value);
  }
}
