// The web app manifest: how the page looks as an installed app, and which files the system gives it.
import { FORMATS } from '../../dist/library/shared/formats.js';
import { ICONS } from './icons.mjs';

const read = FORMATS.filter(({ reads }) => reads);
const models = read.flatMap(({ endings }) => endings);

/** By MIME type, which systems want; models have none of their own. */
const accept = {
  'application/octet-stream': models,
  'application/zip': ['.zip'],
  'application/x-tar': ['.tar'],
  'application/gzip': ['.tgz', '.gz'],
};

export const manifest = {
  id: './',
  name: 'mo: models to OpenVINO IR',
  short_name: 'mo',
  description: `Converts models to OpenVINO IR on this machine: ${read.map(({ title }) => title).join(', ')}.`,
  lang: 'en',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#faf9f6',
  theme_color: '#faf9f6',
  categories: ['developer', 'utilities'],
  icons: [
    { src: 'icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
    ...ICONS.map(([name, purpose, size]) => ({ src: `icons/${name}`, type: 'image/png', sizes: `${size}x${size}`, purpose })),
  ],
  launch_handler: { client_mode: ['focus-existing', 'auto'] },
  file_handlers: [{ action: './', accept }],
  share_target: {
    action: './share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: 'files', accept: Object.entries(accept).flat(2) }] },
  },
};
