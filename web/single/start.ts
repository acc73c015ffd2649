/** Starts the page as one file. Its scripts are compressed in it: as they are, they would be a third of the file. */
import { unpack } from './unpack.js';

const url = URL.createObjectURL(await unpack('scripts', 'text/javascript').blob());
await import(/* @vite-ignore */ url);
URL.revokeObjectURL(url);
