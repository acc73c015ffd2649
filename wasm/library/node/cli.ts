#!/usr/bin/env node
/** The command `mo`. Its parts are not loaded for `--version` or `-V` alone: programs ask for the version often. */
import { readFileSync, writeSync } from 'node:fs';
import process from 'node:process';

/** Returns whether the version could be written. If not, the whole command runs and says why. */
function sayVersion(): boolean {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
  const text = `mo ${version}\n`;
  try {
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}

const args = process.argv.slice(2);
if (args.length !== 1 || !['--version', '-V'].includes(args[0]!) || !sayVersion()) {
  const { run } = await import('./cli/run.js');
  process.exitCode = await run(process.argv[1]!, args);
}
