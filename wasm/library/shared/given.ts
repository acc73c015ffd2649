/** Checks the arguments of programs without types before they are used. null counts as not given, like None in Python. */
import type { InspectControls } from './api.js';
import { badOption, kindOf, type MoError } from './messages.js';
import { msg } from './msg.js';
import { nearest } from './nearest.js';

/** `isThird`: it is the third argument, which has nothing else. @throws {MoError} when one of them has another type. */
export function checkedControls<Given extends InspectControls>(given: Given | null | undefined, isThird: boolean): Given {
  const controls = (given ?? {}) as Given;
  if (isThird && typeof controls !== 'object') throw badOption(msg`the third argument is ${kindOf(given)}`, 'give an object: { signal, onProgress }');
  if (isThird) for (const name of Object.keys(controls)) if (!CONTROLS.includes(name)) throw strayed(name);
  for (const name of ['onProgress', 'onLog', 'onFacts'] as const) {
    const call: unknown = controls[name] ?? undefined;
    if (call !== undefined && typeof call !== 'function') throw badOption(msg`${name} is ${kindOf(call)}`, 'give a function');
  }
  const signal: unknown = controls.signal ?? undefined;
  if (signal !== undefined && !(typeof signal === 'object' && 'throwIfAborted' in signal!))
    throw badOption(msg`signal is ${kindOf(signal)}`, 'give an AbortSignal: controller.signal, or AbortSignal.timeout(60_000)');
  return controls;
}

/** What the third argument has. */
const CONTROLS: readonly string[] = ['onProgress', 'onLog', 'onFacts', 'signal'] satisfies (keyof InspectControls)[];
/** What only the second argument has, besides the options of the command line. */
const OWN_OPTIONS: readonly string[] = [
  'extensions', 'worker', 'distUrl', 'wasmUrl', 'wasmBinary', 'wasmModule', 'workerUrl', 'extensionFrame', 'trustedTypes',
];

/** The options of what takes no options of the command line, but `own`. @throws {MoError} where there are others. */
export function checkedOwn<Given extends object>(given: Given | null | undefined, own: readonly string[]): Given {
  const options = checkedOptions(given);
  requireNames(options, [...OWN_OPTIONS.filter((name) => name !== 'extensions'), ...own], `it has ${[...own, 'worker'].join(', ')}, and where the files of the package are`);
  return options;
}

/** The error for a name that the third argument does not have. */
function strayed(name: string): MoError {
  if (OWN_OPTIONS.includes(name)) return badOption(msg`"${name}" is in the third argument, and belongs in the second`, ARGUMENTS);
  const meant = nearest(name, CONTROLS);
  const hint = 'it has onProgress, onLog, onFacts and signal; options belong in the second';
  return badOption(meant ? msg`the third argument has no "${name}": did you mean "${meant}"?` : msg`the third argument has no "${name}"`, hint);
}

const ARGUMENTS = 'convert(model, options, { signal, onProgress })';

/** @throws {MoError} when the second argument has another name than these. */
export function requireNames(given: object, names: readonly string[], hint: string): void {
  for (const name of Object.keys(given)) if (!names.includes(name)) throw unknown(name, nearest(name, names), hint);
}

function unknown(name: string, meant: string | undefined, hint: string): MoError {
  return badOption(meant ? msg`the second argument has no "${name}": did you mean "${meant}"?` : msg`the second argument has no "${name}"`, hint);
}

/** @throws {MoError} when the options are no object, or have what belongs in the third argument. */
export function checkedOptions<Given extends object>(given: Given | null | undefined): Given {
  if (given !== undefined && (typeof given !== 'object' || Array.isArray(given)))
    throw badOption(msg`the options are ${kindOf(given)}`, "give an object: { input_shape: '[1,3,224,224]' }");
  for (const name of CONTROLS)
    if (given && name in given)
      throw badOption(msg`"${name}" is in the second argument, and belongs in the third`, ARGUMENTS);
  // Options of the command line are the core's to check: none that the library has is spelt almost like these.
  for (const name of Object.keys(given ?? {})) {
    const meant = OWN_OPTIONS.includes(name) ? undefined : nearest(name, [...OWN_OPTIONS, ...CONTROLS]);
    if (meant) throw unknown(name, meant, CONTROLS.includes(meant) ? ARGUMENTS : 'the type Options lists what it has');
  }
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
