#!/usr/bin/env node
/** The command `mo`. Its parts are loaded only if there is something to convert: programs ask for the version often. */
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
if (args.length === 1 && args[0] === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
  process.stdout.write(`Version of Model Optimizer is: ${version}\n`);
} else {
  const { run } = await import('./cli/run.js');
  process.exitCode = await run(process.argv[1]!, args);
}
