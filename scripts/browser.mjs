// The browsers of the tests and of npm run bench.
import { readdirSync, readFileSync } from 'node:fs';

import { chromium } from 'playwright-core';

const launched = (executablePath) =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });

/** Chromium's engine without its windows: it takes half of the processor time. */
export const launch = () => launched('/usr/bin/chromium-headless-shell');
/** The whole of Chromium: what users have, for measurements, and for what the shell has not, such as installing a page. */
export const launchChromium = () => launched('/usr/bin/chromium');

/** Whether a process is this one or descends from it. */
function isOurs(id) {
  for (let parent = id; parent > 1; parent = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${parent}/status`, 'utf8'))[1])) if (parent === process.pid) return true;
  return false;
}

/** Anonymous memory of the largest of the browser's renderers, in megabytes. */
export function rendererMemory() {
  let total = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer') || !isOurs(Number(id))) continue;
      total = Math.max(total, Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) / 1024);
    } catch {
      // The process has ended.
    }
  }
  return total;
}
