import { addressIn, refusedAddress } from './address.js';
import type { Brought } from './brought.js';
import { transferredFiles } from './drop.js';

/** Accepts files and folders that are pasted anywhere on the page. What is pasted into a text field stays there. */
export function acceptPastes(onFiles: (brought: Brought) => void): void {
  addEventListener('paste', async (event) => {
    const { target, clipboardData: transfer } = event;
    const isText = target instanceof Element && target.closest('input:not([type=checkbox], [type=file]), textarea, [contenteditable]');
    if (isText || !transfer) return;
    const address = transfer.types.includes('Files') ? undefined : addressIn(transfer.getData('text/plain'));
    if (address !== undefined) onFiles(refusedAddress(address));
    if (!transfer.types.includes('Files')) return;
    event.preventDefault();
    onFiles(await transferredFiles(transfer));
  });
}
