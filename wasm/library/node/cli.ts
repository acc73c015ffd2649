#!/usr/bin/env node
/** The command `mo`. Its parts are loaded only if there is something to convert: programs ask for the version often. */
import { readFileSync, writeSync } from 'node:fs';
import process from 'node:process';

/** Whether it could be written: the whole command says why not. */
function sayVersion(): boolean {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
  const text = `Version of Model Optimizer is: ${version}\n`;
  try {
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}

const args = process.argv.slice(2);
if (args.length !== 1 || args[0] !== '--version' || !sayVersion()) {
  const { run } = await import('./cli/run.js');
  process.exitCode = await run(process.argv[1]!, args);
}
