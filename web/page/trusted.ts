/** The page's one Trusted Types policy: for the URLs of its workers, for the frame that the library makes, and for the IR that the graph view reads. */

/** As `TrustedTypes` of the library. */
interface Policy {
  createHTML(text: string): unknown;
  createScriptURL(url: string): unknown;
}

interface Factory {
  createPolicy(name: string, rules: { createHTML(text: string): string; createScriptURL(url: string): string }): Policy;
}

const { trustedTypes } = globalThis as { trustedTypes?: Factory };

/** Undefined in a browser without Trusted Types. */
export const policy = trustedTypes?.createPolicy('mo', { createHTML: (text) => text, createScriptURL: (url) => url });

export const trustedUrl = (url: string): string => (policy?.createScriptURL(url) ?? url) as string;

/** A text of XML that becomes a document of its own, which is not shown and runs no script. */
export const trustedXml = (text: string): string => (policy?.createHTML(text) ?? text) as string;
