import { h } from '../page/dom.js';

/** Hands a Blob to the browser's downloads. */
export function offer(content: Blob, name: string): void {
  const link = h('a', { href: URL.createObjectURL(content), download: name });
  link.click();
  // After this time the browser has begun to read the Blob, and it reads it to the end.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
