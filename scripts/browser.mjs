// The browsers of the tests and of npm run bench.
import { chromium } from 'playwright-core';

const launched = (executablePath) =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });

/** Chromium's engine without its windows: it takes half of the processor time. */
export const launch = () => launched('/usr/bin/chromium-headless-shell');
/** The whole of Chromium: what users have, for measurements, and for what the shell has not, such as installing a page. */
export const launchChromium = () => launched('/usr/bin/chromium');
