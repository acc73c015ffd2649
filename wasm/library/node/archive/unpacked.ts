import { closeSync } from 'node:fs';

import { writeAll } from '../draft.js';
import { reason } from '../reason.js';
import type { Place } from './bytes.js';
import { noSpace } from './refusal.js';
import { openUnnamed } from '../unnamed-file.js';

/** Where unpacked files lie: one after the other in a temporary file. */
export class Unpacked {
  #descriptor: number | undefined;
  #end = 0;

  /** Where the next bytes come. */
  get end(): number {
    return this.#end;
  }

  /** @throws {Refusal} when there is no space for them. */
  append(bytes: Uint8Array): void {
    try {
      writeAll((this.#descriptor ??= openUnnamed()), bytes);
    } catch (error) {
      throw noSpace(reason(error));
    }
    this.#end += bytes.length;
  }

  /** The bytes from `begin` on to the end. */
  placeFrom(begin: number): Place {
    return { descriptor: this.#descriptor ?? -1, begin, size: this.#end - begin };
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
