/**
 * The frame in which extensions run. Its policy keeps the network from them. Its one script is known by a nonce and not by
 * its hash, for what minifies pages changes the script; nobody writes into this page but this file.
 */
export const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'nonce-frame' blob: 'wasm-unsafe-eval'",
  'worker-src blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** What the frame is sent: the text of a worker, a port for the worker, and one that gets the reason if there is none. */
export interface FrameOrder {
  script: string;
  port: MessagePort;
  failed: MessagePort;
}

/** The policy of a page that makes the frame of its text knows this script by its hash. */
export const FRAME_SCRIPT = `
addEventListener('message', ({ data, source }) => {
  if (source !== parent) return;
  const fail = ({ message }) => data.failed.postMessage(message || 'it could not be started');
  try {
    const worker = new Worker(URL.createObjectURL(new Blob([data.script], { type: 'text/javascript' })));
    worker.onerror = fail;
    worker.postMessage(data.port, [data.port]);
  } catch (error) {
    fail(error);
  }
});
parent.postMessage('ready', '*');
`;

export const FRAME_TEXT = `<!doctype html>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${FRAME_POLICY}" />
<title>Extensions</title>
<script nonce="frame">${FRAME_SCRIPT}</script>
`;
