import { rmdirSync, unlinkSync } from 'node:fs';
import process from 'node:process';

const INTERRUPTIONS: readonly NodeJS.Signals[] = process.platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Files, and folders that were made for them, in this order. */
const paths = new Set<string>();
let isCommand = false;

/** From here on signals remove what is unfinished. Only the command may set handlers: those of a program that uses the library are its own. */
export function removeOnSignals(): void {
  isCommand = true;
}

/** Says that `path` has to go if this process is interrupted. Without one, signals do what they do by themselves, and at once. */
export function note(path: string): void {
  if (isCommand && paths.size === 0) onInterruption(removeAll);
  paths.add(path);
}

export function forget(path: string): void {
  if (paths.delete(path) && paths.size === 0) handled?.();
}

let handled: (() => void) | undefined;

/** Calls `work` when a signal comes, and then ends this process as the signal would have. */
export function onInterruption(work: () => void): void {
  const obey = (signal: NodeJS.Signals): void => {
    handled?.();
    work();
    process.kill(process.pid, signal);
  };
  handled = () => {
    handled = undefined;
    for (const signal of INTERRUPTIONS) process.off(signal, obey);
  };
  for (const signal of INTERRUPTIONS) process.on(signal, obey);
}

function removeAll(): void {
  for (const path of [...paths].reverse()) attempt(() => unlinkSync(path)) || attempt(() => rmdirSync(path));
}

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
