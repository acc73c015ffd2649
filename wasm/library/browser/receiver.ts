import type { InspectControls } from '../shared/api.js';
import type { FoundModels } from '../shared/core.js';
import type { Outcome, Reply } from './browser-job.js';

/** A function that takes the replies of a job: it hands on those on the way, and returns the last one, with all models that were found. */
export function receiver({ onProgress, onLog, onFacts }: InspectControls): (reply: Reply) => Outcome | undefined {
  const models: FoundModels['models'] = [];
  return (reply) => {
    if (reply.kind === 'progress') return void onProgress?.(reply.progress);
    if (reply.kind === 'log') return void onLog?.(reply.line);
    if (reply.kind === 'facts') return void onFacts?.(reply.facts);
    if (reply.kind === 'models') {
      for (const model of reply.models) models.push(model);
      return undefined;
    }
    return reply.kind === 'found' ? { ...reply, models: models.concat(reply.models) } : reply;
  };
}
