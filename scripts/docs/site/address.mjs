// Placeholders for addresses while the site is built: finish.mjs replaces them by relative ones, so the site may be anywhere.

/** Of the site. */
export const BASE = '/__site__/';

/** Of the converter's page, which is in the folder above the site. */
export const PLAYGROUND = 'https://playground.invalid/';
