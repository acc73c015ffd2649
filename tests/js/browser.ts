/** The browsers of the tests. */
import { chromium, type Browser } from 'playwright-core';

const launched = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });

/** Chromium's engine without its windows: it takes half of the processor time. */
export const launch = (): Promise<Browser> => launched('/usr/bin/chromium-headless-shell');
/** The whole of Chromium, for what the shell has not: it cannot install a page. */
export const launchChromium = (): Promise<Browser> => launched('/usr/bin/chromium');
