/** The worker in which extensions run on a page: without an origin, without network and storage; one conversion. */
import { blobUrl, type ExtensionRoot, type TypeScript } from '../../extension/load/loader.js';
import { startCore } from '../shared/core.js';
import { loadFor } from '../shared/extensions.js';
import { doJob, failedReply, type Job, type Reply } from './browser-job.js';
import { lockDown } from './lock-down.js';

export interface SandboxJob {
  /** The core as bytes: a compiled module does not reach a worker without an origin. */
  core: ArrayBuffer;
  job: Job;
  extensions: readonly ExtensionRoot[];
  /** The module that takes the types out of TypeScript, where an extension is TypeScript. */
  typeScript: string | undefined;
}

lockDown();

self.onmessage = ({ data: port }: MessageEvent<MessagePort>) => {
  port.postMessage('ready');
  port.onmessage = async ({ data: { core: bytes, job, extensions, typeScript: text = '' } }: MessageEvent<SandboxJob>) => {
    try {
      const started = WebAssembly.compile(bytes).then(startCore);
      const core = await started.catch((error: unknown) => failedReply(undefined, error) ?? Promise.reject(error));
      if ('kind' in core) return port.postMessage(core);
      const typeScript: TypeScript = () => import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ blobUrl(text, 'typescript'));
      await doJob(core, job, (reply: Reply) => port.postMessage(reply), (show) => loadFor(core, extensions, typeScript, show, blobUrl));
    } catch (error) {
      reportError(error);
    }
  };
};
