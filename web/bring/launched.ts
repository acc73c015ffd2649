/** Files with which the system opens the installed app. */
import type { Brought } from './brought.js';
import { readHandle } from './handles.js';

/** TypeScript's library does not have it: https://wicg.github.io/web-app-launch/ */
interface LaunchQueue {
  setConsumer(consume: (launch: { readonly files: readonly FileSystemHandle[] }) => void): void;
}

/** `onFiles` gets the files of each launch, as if they had been dropped together. */
export function followLaunches(onFiles: (brought: Brought) => void): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files: handles }) => {
    if (handles.length > 0) void read(handles).then(onFiles);
  });
}

async function read(handles: readonly FileSystemHandle[]): Promise<Brought> {
  const brought: Brought = { files: [], errors: [] };
  await Promise.all(handles.map((handle) => readHandle(handle, brought)));
  return brought;
}
