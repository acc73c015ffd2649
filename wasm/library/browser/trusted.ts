/** Trusted Types: what a page with `require-trusted-types-for 'script'` wants instead of texts, for the library's own URLs and its own frame. */
import { givenTypes, type TrustedTypes } from './places.js';

interface Factory {
  createPolicy(name: string, rules: { createHTML(text: string): string; createScriptURL(url: string): string }): TrustedTypes;
}

let own: TrustedTypes | undefined;

/** Undefined in a browser without Trusted Types. */
function policy(): TrustedTypes | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return givenTypes() ?? (own ??= trustedTypes?.createPolicy('mo', { createHTML: (text) => text, createScriptURL: (url) => url }));
}

/** The URL of a worker of the library, for `new Worker()`. */
export const trustedUrl = (url: URL | string): string => (policy()?.createScriptURL(String(url)) ?? String(url)) as string;

/** The text of the frame, for `srcdoc`. */
export const trustedText = (text: string): string => (policy()?.createHTML(text) ?? text) as string;
