import type { InspectControls, LogLine } from './api.js';
import { failure, hintOf, MoError, sentence } from './messages.js';
import { msg } from './msg.js';
import { printable } from './printable.js';

/** The caller's functions, wrapped so that none throws. `fail` gets the first error, and after it no function is called. */
export function guarded({ onProgress, onLog, onFacts, signal }: InspectControls, fail: (reason: MoError) => void): InspectControls {
  let failed = false;
  const guard = <Value>(name: string, call: ((value: Value) => void) | undefined) => (value: Value): void => {
    if (failed || !call) return;
    try {
      call(value);
    } catch (error) {
      failed = true;
      fail(new MoError([{ ...failure(msg`${name} has failed: ${sentence(error)}`), ...hintOf('the function that you gave has thrown it') }], { cause: error }));
    }
  };
  return { onProgress: guard('onProgress', onProgress), onLog: guard('onLog', onLog && ((line: LogLine) => onLog({ ...line, text: printable(line.text) }))), onFacts: guard('onFacts', onFacts), ...(signal && { signal }) };
}
