// The page's Content Security Policy: it runs its own files and WebAssembly, and makes no connections.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const directives = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** For hosts that send no headers. */
export const metaPolicy = directives.join('; ');

/** A meta element cannot say who may frame the page, so the header says one thing more. */
export const headerPolicy = [...directives, "frame-ancestors 'none'"].join('; ');

/** The frame in which extensions run: its one script, and a worker made of text; it reaches nothing. */
export const frameSource = readFileSync(new URL('../wasm/library/browser/extension-frame.html', import.meta.url), 'utf8');
const script = /<script>([^]*)<\/script>/.exec(frameSource)[1];
const hash = createHash('sha256').update(script).digest('base64');
export const framePolicy = [
  "default-src 'none'",
  `script-src 'sha256-${hash}' blob: 'wasm-unsafe-eval'`,
  'worker-src blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Without the attribute of the element that shows it, the frame would have an origin. */
export const frameHeaderPolicy = `${framePolicy}; frame-ancestors 'self'; sandbox allow-scripts`;
