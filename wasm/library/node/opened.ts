import { fstatSync, openSync } from 'node:fs';

export interface Opened {
  descriptor: number;
  size: number;
  changed: bigint;
  /** Whether close() closes the descriptor. One that was given belongs to the caller. */
  own: boolean;
}

export function opened(descriptor: number, own: boolean): Opened {
  const { size, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return { descriptor, size: Number(size), changed: ctimeNs, own };
}

/** A descriptor that another thread has opened: Deno does not know it, but the system does. */
export function openedElsewhere(descriptor: number): Opened {
  try {
    return opened(descriptor, false);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error;
    return opened(openSync(`/dev/fd/${descriptor}`, 'r'), true);
  }
}
