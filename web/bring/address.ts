/** Addresses of files: the page makes no requests, so it says what to do with one. */
import { msg, withDetail } from '@mo/wasm/msg';

import { HostReadFailed } from '../report/codes.js';
import { pageMessage } from '../report/page-message.js';
import type { Brought } from './brought.js';

const ADDRESS = /^(?:https?|ftp|s3|gs|hf):\/\/\S+$/i;
const LONGEST = 2000;

/** The address that a text consists of, or its first line. */
export function addressIn(text: string): string | undefined {
  const first = text.trim().split(/\s*\n/, 1)[0]!;
  return first.length <= LONGEST && ADDRESS.test(first) ? first : undefined;
}

/** What comes in place of the files. */
export function refusedAddress(address: string): Brought {
  const said = withDetail('a file could not be read', msg`it is an address, and this page makes no requests`);
  return { files: [], errors: [pageMessage(HostReadFailed, said, 'download the file, then drop it here', address)] };
}
