// The Content Security Policies of the page: it runs its own files and WebAssembly, and makes no connections.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';

// Not imported by its name: a bundler would say of a missing dist/ only that something is not resolved.
const text = new URL('../dist/library/browser/frame-text.js', import.meta.url);
if (!existsSync(text)) throw new Error('dist/ is missing: scripts/build.sh package makes it');
const { FRAME_SCRIPT } = await import(text.href);

export const hashOf = (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

// The frame of extensions is a text, which has this policy besides its own: its script is known by its hash. The script's worker and
// the modules of extensions are texts, too.
const frame = `${hashOf(FRAME_SCRIPT)} blob:`;

// Texts become neither elements nor URLs of scripts, except through the one policy of that name.
const rest = ["base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", 'trusted-types mo'];

const directives = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' ${frame}`,
  "style-src 'self'",
  "img-src 'self'",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  ...rest,
];

/** For hosts that send no headers. */
export const metaPolicy = directives.join('; ');

/** A meta element cannot say who may frame the page, so the header says one thing more. */
export const headerPolicy = [...directives, "frame-ancestors 'none'"].join('; ');

/** Of a page that is one file: what it may load is in it. */
export function singlePolicy(scripts, styles) {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(' ')} 'wasm-unsafe-eval' ${frame}`,
    `style-src ${styles.map(hashOf).join(' ')}`,
    'img-src data:',
    'worker-src blob:',
    ...rest,
  ].join('; ');
}
