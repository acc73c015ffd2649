// The package contains this part of pako: scripts/build-package.mjs puts it in place of this module.
export { Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, zlibInflate, zlibInflateInit2, zlibInflateReset, ZStream } from 'pako';
