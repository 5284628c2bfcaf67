/**
 * Numbers the addresses that a page leads to, and takes out of them what could open a door: names, passwords, tokens.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  const { wholeAttribute, ownerDocument } = shidiReader.dom;
  const { LINKS_MAX, ADDRESS_MAX_CHARS } = shidiReader.limits;

  /** Names of query parts that let in whoever has them. */
  const TOKENS =
    /^(?:.*[-_.])?(?:token|access_?token|id_?token|refresh_?token|auth|authorization|apikey|api_?key|key|secret|sig|signature|session|sessionid|sid|phpsessid|jsessionid|password|passwd|pwd|code|otp|ticket|jwt|nonce|state|credential|x-amz-[a-z-]+|x-goog-[a-z-]+|se|sp|sv)$/i;

  /** A long row of letters and digits that says nothing is a token, whatever it is called. */
  const OPAQUE = /^(?=.*\d)(?=.*[a-z])[\w.~+/=-]{40,}$/i;

  class Links {
    constructor() {
      /** @type {string[]} */
      this.addresses = [];
      /** @type {Map<string, number>} */
      this.numbers = new Map();
      /** @type {Map<string, string>} */
      this.known = new Map();
      this.isCut = false;
    }

    /**
     * The number of the address that a link leads to, from 1; nothing for what is no page.
     * @param {Element} link
     * @param {'href' | 'src'} [name] The attribute that holds it.
     * @returns {number | null}
     */
    numberOf(link, name = 'href') {
      const said = wholeAttribute(link, name) ?? '';
      const address = this.known.get(said) ?? addressOf(link, name);
      // The same words lead elsewhere from a frame.
      if (address !== null && ownerDocument(link) === document) this.known.set(said, address);
      if (address === null) return null;
      const number = this.numbers.get(address);
      if (number !== undefined) return number;
      if (this.addresses.length >= LINKS_MAX) {
        this.isCut = true;
        return null;
      }
      this.addresses.push(address);
      this.numbers.set(address, this.addresses.length);
      return this.addresses.length;
    }
  }

  /**
   * @param {Element} link
   * @param {'href' | 'src'} [name]
   * @returns {string | null}
   */
  function addressOf(link, name = 'href') {
    const said = wholeAttribute(link, name);
    if (said === null || said === '' || said.length > ADDRESS_MAX_CHARS * 2) return null;
    const base = ownerDocument(link)?.baseURI ?? location.href;
    // A frame without an address of its own has that of the page.
    const from = /^https?:/.test(base) ? base : location.href;
    return URL.canParse(said, from) ? harmless(new URL(said, from)) : null;
  }

  /**
   * @param {URL} url
   * @returns {string | null}
   */
  function harmless(url) {
    if (!/^https?:$/.test(url.protocol)) return null;
    url.username = '';
    url.password = '';
    for (const [name, value] of Array.from(url.searchParams))
      if (TOKENS.test(name) || OPAQUE.test(value)) url.searchParams.delete(name);
    if (/(?:token|secret|password)=/i.test(url.hash)) url.hash = '';
    return url.href.length <= ADDRESS_MAX_CHARS ? url.href : null;
  }

  shidiReader.links = { Links, addressOf };
}
