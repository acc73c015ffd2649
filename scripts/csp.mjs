// The page's Content Security Policy: it runs its own files and WebAssembly, and makes no connections.
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
