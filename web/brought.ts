import type { FileWithPath, Message } from '@mo/wasm';

/** The files that the user brought, and messages about what could not be read of them. */
export interface Brought {
  files: FileWithPath[];
  errors: Message[];
}
