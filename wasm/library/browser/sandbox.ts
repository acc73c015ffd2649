/**
 * On a page, extensions run in a worker of a frame without an origin, which has no access to the network or to the
 * page's storage.
 */
import { failure, MoError, sentence } from '../shared/messages.js';
import { once } from '../shared/once.js';

let waiting: Promise<HTMLIFrameElement> | undefined;

/** Loads the parts of a sandbox, so that it starts at once, even without a network. */
export async function prepareSandbox(): Promise<void> {
  await Promise.all([workerScript(), (waiting ??= openFrame())]);
}

/** A worker in a frame of its own. */
export class Sandbox {
  private constructor(
    private readonly frame: HTMLIFrameElement,
    readonly port: MessagePort,
    /** Gives the reason why the worker has ended. */
    readonly failed: MessagePort,
  ) {}

  static async start(): Promise<Sandbox> {
    const text = await workerScript();
    const frame = await (waiting ?? openFrame());
    waiting = openFrame();
    waiting.catch(() => (waiting = undefined));
    const work = new MessageChannel();
    const failed = new MessageChannel();
    frame.contentWindow!.postMessage({ script: text, port: work.port2, failed: failed.port2 }, '*', [work.port2, failed.port2]);
    return new Sandbox(frame, work.port1, failed.port1);
  }

  /** The worker ends with its frame, even if it is busy. */
  end(): void {
    this.frame.remove();
    this.port.close();
    this.failed.close();
  }
}

const workerScript = once(() => fetchText(new URL('./extension-worker.js', import.meta.url)));

async function fetchText(url: URL): Promise<string> {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return await response.text();
  } catch (error) {
    throw new MoError([failure(`${url.pathname.split('/').at(-1)} could not be loaded: ${sentence(error)}`)]);
  }
}

function openFrame(): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.hidden = true;
  frame.title = 'Extensions';
  frame.src = new URL('./extension-frame.html', import.meta.url).href;
  return new Promise((resolve, reject) => {
    const listening = new AbortController();
    addEventListener('message', ({ source }) => {
      if (source !== frame.contentWindow) return;
      listening.abort();
      resolve(frame);
    }, { signal: listening.signal });
    frame.addEventListener('error', () => reject(new MoError([failure('extension-frame.html could not be loaded')])));
    document.body.append(frame);
  });
}
