/**
 * On a page, extensions run in a worker of a frame without an origin, which has no access to the network or to the
 * page's storage.
 */
import { fileMissing, notStarted, sentence } from '../shared/messages.js';
import { once } from '../shared/once.js';
import { SECONDS_TO_START, within } from '../shared/waiting.js';
import { FRAME_TEXT, type FrameOrder } from './frame-text.js';
import { frameUrl, givenFrame } from './places.js';
import { trustedText } from './trusted.js';
import { msg } from '../shared/msg.js';

/** If a frame has loaded but sends nothing for this long, a policy forbids its script, or it is another page. */
const SECONDS_AFTER_LOAD = 2;

/** A frame is made of the package's file, or of a text. A text needs no server, but has the policy of the page besides its own. */
type Kind = 'file' | 'text';

let waiting: Promise<HTMLIFrameElement> | undefined;

/** Loads the parts of a sandbox, so that it starts at once, even without a network. */
export async function prepareSandbox(): Promise<void> {
  await Promise.all([workerScript(), expectFrame(), packedTypeScript()]);
}

/** A worker in a frame of its own. */
export class Sandbox {
  private constructor(
    private readonly frame: HTMLIFrameElement,
    readonly port: MessagePort,
    /** Gives the reason why the worker has ended. */
    readonly failed: MessagePort,
  ) {}

  /** @throws {MoError} when its worker does not start. */
  static async start(): Promise<Sandbox> {
    if (typeof document === 'undefined') throw notStarted(msg`extensions run in a frame, which a worker cannot make: convert on the page`);
    const script = await workerScript();
    const [, other] = await kinds();
    const begin = async (frame: Promise<HTMLIFrameElement>) => {
      const sandbox = Sandbox.#order(await frame, script);
      await sandbox.#ready();
      return sandbox;
    };
    try {
      const sandbox = await begin(takeFrame());
      expectFrame().catch(() => undefined);
      return sandbox;
    } catch (error) {
      // The reason why the better kind does not start says more than that of the other.
      const sandbox = await begin(openFrame(other)).catch(() => Promise.reject(error));
      kinds = () => Promise.resolve(turned(other));
      return sandbox;
    }
  }

  static #order(frame: HTMLIFrameElement, script: string): Sandbox {
    const work = new MessageChannel();
    const failed = new MessageChannel();
    const order: FrameOrder = { script, port: work.port2, failed: failed.port2 };
    frame.contentWindow!.postMessage(order, '*', [work.port2, failed.port2]);
    return new Sandbox(frame, work.port1, failed.port1);
  }

  /** Resolves with the worker's first message. */
  async #ready(): Promise<void> {
    const first = new Promise<void>((resolve, reject) => {
      this.port.onmessage = () => resolve();
      this.failed.onmessage = ({ data }: MessageEvent<string>) => reject(notStarted(msg`the worker for extensions: ${data}`));
    });
    try {
      await within(SECONDS_TO_START, first, () => notStarted(msg`the worker for extensions is silent for ${SECONDS_TO_START} seconds`));
    } catch (error) {
      this.end();
      throw error;
    }
    this.port.onmessage = this.failed.onmessage = null;
  }

  /** The worker ends with its frame, even if it is busy. */
  end(): void {
    this.frame.remove();
    this.port.close();
    this.failed.close();
  }
}

/** The script is a text in a module, not a file: servers and bundlers change scripts that they serve, but leave texts as they are. */
const workerScript = once(async () => {
  try {
    return (await import('./extension-worker-text.mjs')).default;
  } catch (error) {
    throw fileMissing(msg`${sentence(error)}`);
  }
});

const packedTypeScript = once(async () => {
  try {
    return (await import('../../extension/load/typescript-text.mjs')).default;
  } catch (error) {
    throw fileMissing(msg`${sentence(error)}`);
  }
});

/** What takes the types out of TypeScript. A worker without an origin cannot load it, so it goes there as a text, too. */
export async function typeScriptText(): Promise<string> {
  const bytes = Uint8Array.from(atob(await packedTypeScript()), (byte) => byte.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}

/**
 * The kind to try first, and the other. The file is better, because only its own policy applies to it; but a server may send something
 * else.
 */
let kinds = once(async (): Promise<[Kind, Kind]> => turned(givenFrame() ?? ((await isServed()) ? 'file' : 'text')));

function turned(first: Kind): [Kind, Kind] {
  return first === 'file' ? ['file', 'text'] : ['text', 'file'];
}

async function isServed(): Promise<boolean> {
  try {
    const url = frameUrl();
    return url.origin === location.origin && (await (await fetch(url)).text()) === FRAME_TEXT;
  } catch {
    return false;
  }
}

function expectFrame(): Promise<HTMLIFrameElement> {
  return (waiting ??= kinds().then(([first]) => openFrame(first)));
}

/** Takes the waiting frame. Another sandbox that starts at the same time gets a new one. */
function takeFrame(): Promise<HTMLIFrameElement> {
  const frame = expectFrame();
  waiting = undefined;
  return frame;
}

/** @throws {MoError} when the frame sends no message. */
async function openFrame(kind: Kind): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.hidden = true;
  frame.title = 'Extensions';
  if (kind === 'file') frame.src = frameUrl().href;
  else frame.srcdoc = trustedText(FRAME_TEXT);
  const listening = new AbortController();
  const said = new Promise<void>((resolve) => {
    addEventListener('message', ({ source }) => source === frame.contentWindow && resolve(), { signal: listening.signal });
  });
  const loaded = new Promise<void>((resolve) => frame.addEventListener('load', () => resolve(), { once: true }));
  const silent = (seconds: number) => () => notStarted(msg`the frame for extensions is silent for ${seconds} seconds`);
  document.body.append(frame);
  try {
    await within(SECONDS_TO_START, Promise.race([said, loaded]), silent(SECONDS_TO_START));
    await within(SECONDS_AFTER_LOAD, said, silent(SECONDS_AFTER_LOAD));
    return frame;
  } catch (error) {
    frame.remove();
    throw error;
  } finally {
    listening.abort();
  }
}
