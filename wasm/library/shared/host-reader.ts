import { sentence } from './messages.js';
import type { HostReader } from './model.js';

/** Fills `out` from the caller's reader; a string says why that failed. */
export function readHost(reader: HostReader, offset: number, out: Uint8Array): string | undefined {
  try {
    const returned: unknown = reader.read(offset, out);
    if (!(returned instanceof Promise)) return undefined;
    returned.catch(() => undefined);
    return 'its read() gives a promise: the bytes have to be there when it returns';
  } catch (error) {
    return sentence(error);
  }
}
