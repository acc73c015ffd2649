import type { FileWithPath, Message } from '@mo/wasm';

/** The files that the user brought, and messages about what could not be read of them. */
export interface Brought {
  files: FileWithPath[];
  errors: Message[];
  /** Another app or site has sent them: then nothing begins before the user presses a button. */
  sent?: boolean;
  /** Those out of archives: who packed them may be anybody, so extensions among them are off until the user switches them on. */
  packed?: ReadonlySet<FileWithPath>;
}
