/** Checks the arguments of programs without types before they are used. null counts as not given, like None in Python. */
import type { InspectControls } from './api.js';
import { badOption, kindOf } from './messages.js';
import { msg } from './msg.js';

/** @throws {MoError} when one of them has another type. */
export function checkedControls<Given extends InspectControls>(given: Given | null | undefined): Given {
  const controls = (given ?? {}) as Given;
  for (const name of ['onProgress', 'onLog', 'onFacts'] as const) {
    const call: unknown = controls[name] ?? undefined;
    if (call !== undefined && typeof call !== 'function') throw badOption(msg`${name} is ${kindOf(call)}`, 'give a function');
  }
  const signal: unknown = controls.signal ?? undefined;
  if (signal !== undefined && !(typeof signal === 'object' && 'throwIfAborted' in signal!))
    throw badOption(msg`signal is ${kindOf(signal)}`, 'give an AbortSignal: controller.signal, or AbortSignal.timeout(60_000)');
  return controls;
}

/** @throws {MoError} when the options are no object. */
export function checkedOptions<Given extends object>(given: Given | null | undefined): Given {
  if (given !== undefined && (typeof given !== 'object' || Array.isArray(given)))
    throw badOption(msg`the options are ${kindOf(given)}`, "give an object: { input_shape: '[1,3,224,224]' }");
  return given ?? ({} as Given);
}

/** @throws {MoError} when the extensions are neither folders nor texts. */
export function areGiven<Kind>(extensions: Kind | null | undefined): extensions is Kind & object {
  if (extensions === undefined || extensions === null) return false;
  if (typeof extensions !== 'object') throw badOption(msg`extensions is ${kindOf(extensions)}`, "give folders, or the texts of modules by path: { 'front/onnx/mish.js': '…' }");
  return true;
}

/** The modules of extensions by their paths. @throws {MoError} where one is no text. */
export function modulesOf(extensions: object): [path: string, text: string][] {
  return Object.entries(extensions as Record<string, unknown>).map(([path, text]) => {
    if (typeof text !== 'string') throw badOption(msg`extensions has ${kindOf(text)} for "${path}"`, 'give the text of the module');
    return [path, text];
  });
}
