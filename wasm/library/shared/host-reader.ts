import { sentence } from './messages.js';
import type { HostReader } from './model.js';
import { msg, type Template } from './msg.js';

/** Fills `out` from the caller's reader; a template says why that failed. */
export function readHost(reader: HostReader, offset: number, out: Uint8Array): Template | undefined {
  try {
    const returned: unknown = reader.read(offset, out);
    if (!(returned instanceof Promise)) return undefined;
    returned.catch(() => undefined);
    return msg`its read() gives a promise: the bytes have to be there when it returns`;
  } catch (error) {
    return msg`${sentence(error)}`;
  }
}
