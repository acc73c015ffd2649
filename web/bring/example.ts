/** The model that the page brings itself, for those who have none at hand. It is loaded ahead, so that it needs no network. */
import base64 from 'virtual:example';

import type { Brought } from './brought.js';

export const NAME = 'example.onnx';

/** As if the user had brought the file. */
export function bringExample(): Brought {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return { files: [{ path: NAME, file: new File([bytes], NAME) }], errors: [] };
}
