/**
 * The frame in which extensions run. Its policy keeps the network from them. The policy names its one script by a nonce and not by its
 * hash, because tools that minify pages change the script. The nonce can be constant: nothing else writes into this page.
 */
export const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'nonce-frame' blob: 'wasm-unsafe-eval'",
  'worker-src blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The message to the frame: the text of the worker, a port for the worker, and a port that gets the reason if the worker fails. */
export interface FrameOrder {
  script: string;
  port: MessagePort;
  failed: MessagePort;
}

/** A page that makes the frame from its text has the hash of this script in its policy. */
export const FRAME_SCRIPT = `
addEventListener('message', ({ data, source }) => {
  if (source !== parent) return;
  const fail = ({ message }) => data.failed.postMessage(message || 'it could not be started');
  try {
    const url = URL.createObjectURL(new Blob([data.script], { type: 'text/javascript' }));
    const policy = self.trustedTypes && trustedTypes.createPolicy('mo', { createScriptURL: (url) => url });
    const worker = new Worker(policy ? policy.createScriptURL(url) : url);
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
