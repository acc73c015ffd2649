/**
 * The command once more, where no memory of WebAssembly can be reserved: in a process whose V8 reserves no more than one may become. There
 * the core takes about a tenth longer, so this is not the first thing to try.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';

import { isWithoutGuards, noRoom, WITHOUT_GUARDS } from '../room.js';
import { INTERRUPTIONS } from './interruptions.js';
import { jobVariable, UNCHANGED } from './job-variable.js';
import { plainLine, tell } from './say.js';

/** Returns the exit code of the command. */
export function again(): Promise<number> {
  if (isWithoutGuards() || !process.allowedNodeEnvironmentFlags.has(WITHOUT_GUARDS)) return Promise.resolve(refuse());
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...process.execArgv, WITHOUT_GUARDS, ...process.argv.slice(1)], { stdio: 'inherit', env: { ...process.env, ...jobVariable() } });
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of INTERRUPTIONS) process.on(signal, pass);
    const end = (code: number): void => {
      for (const signal of INTERRUPTIONS) process.off(signal, pass);
      resolve(code);
    };
    child.on('error', () => end(refuse()));
    child.on('close', (code, by) => {
      if (by !== null && (INTERRUPTIONS as readonly string[]).includes(by)) {
        end(1);
        process.kill(process.pid, by);
      } else if (code !== null && code <= UNCHANGED) end(code);
      // V8 has found no memory, and nobody could tell.
      else end(refuse());
    });
  });
}

function refuse(): number {
  for (const message of noRoom().messages) tell(`${plainLine(message)}\n`);
  return 1;
}
