// The names that code for browsers and servers expects and the engine lacks. All of it is the
// guest's own code: nothing here reaches the host but its clock and random bytes.
(() => {
  'use strict';
  const {now, random} = globalThis.__host;
  const own = (name, value) => {
    if (!(name in globalThis)) {
      Object.defineProperty(globalThis, name, {value, writable: true, configurable: true, enumerable: false});
    }
  };

  const failure = (name, message) => {
    const error = new Error(message);
    error.name = name;
    return error;
  };

  class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(input = '') {
      const bytes = [];
      for (const character of String(input)) {
        let code = character.codePointAt(0);
        if (code >= 0xD800 && code <= 0xDFFF) code = 0xFFFD;
        if (code < 0x80) bytes.push(code);
        else if (code < 0x800) bytes.push(0xC0 | code >> 6, 0x80 | code & 63);
        else if (code < 0x10000) bytes.push(0xE0 | code >> 12, 0x80 | code >> 6 & 63, 0x80 | code & 63);
        else bytes.push(0xF0 | code >> 18, 0x80 | code >> 12 & 63, 0x80 | code >> 6 & 63, 0x80 | code & 63);
      }
      return new Uint8Array(bytes);
    }
  }

  const bytesOf = (input) => {
    if (input === undefined) return new Uint8Array(0);
    return ArrayBuffer.isView(input)
      ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
  };

  // The least second byte of the sequences whose shorter forms, surrogates or larger numbers are no UTF-8.
  const least = (first) => first === 0xE0 ? 0xA0 : first === 0xF0 ? 0x90 : 0x80;
  const most = (first) => first === 0xED ? 0x9F : first === 0xF4 ? 0x8F : 0xBF;

  class TextDecoder {
    #fatal;
    #keepsMark;
    constructor(label = 'utf-8', {fatal = false, ignoreBOM = false} = {}) {
      if (!/^\s*(utf-?8|unicode-1-1-utf-8)\s*$/i.test(label)) throw new RangeError("TextDecoder has utf-8 alone, not '" + label + "'");
      this.#fatal = fatal;
      this.#keepsMark = ignoreBOM;
    }
    get encoding() { return 'utf-8'; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#keepsMark; }
    decode(input, {stream = false} = {}) {
      if (stream) throw failure('NotSupportedError', 'TextDecoder decodes whole inputs, and no streams');
      const bytes = bytesOf(input);
      const parts = [];
      let at = !this.#keepsMark && bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF ? 3 : 0;
      while (at < bytes.length) {
        const first = bytes[at++];
        const length = first < 0x80 ? 0 : first >= 0xC2 && first < 0xE0 ? 1 : first >= 0xE0 && first < 0xF0 ? 2
          : first >= 0xF0 && first < 0xF5 ? 3 : -1;
        let code = length <= 0 ? first : first & 63 >> length;
        let left = length;
        for (; left > 0; left--) {
          const next = bytes[at];
          const isFirst = left === length;
          if (next === undefined || next < (isFirst ? least(first) : 0x80) || next > (isFirst ? most(first) : 0xBF)) break;
          code = code << 6 | next & 63;
          at++;
        }
        if (length === -1 || left > 0) {
          if (this.#fatal) throw new TypeError('the bytes are no UTF-8');
          code = 0xFFFD;
        }
        parts.push(String.fromCodePoint(code));
      }
      return parts.join('');
    }
  }

  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

  const btoa = (input) => {
    const text = String(input);
    let result = '';
    for (let at = 0; at < text.length; at += 3) {
      const codes = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
      if (codes.some((code) => code > 255)) throw failure('InvalidCharacterError', 'btoa takes characters up to U+00FF');
      const bits = codes[0] << 16 | (codes[1] || 0) << 8 | (codes[2] || 0);
      result += ALPHABET[bits >> 18] + ALPHABET[bits >> 12 & 63]
        + (at + 1 < text.length ? ALPHABET[bits >> 6 & 63] : '=') + (at + 2 < text.length ? ALPHABET[bits & 63] : '=');
    }
    return result;
  };

  const atob = (input) => {
    let text = String(input).replace(/[\t\n\f\r ]/g, '');
    if (text.length % 4 === 0) text = text.replace(/={1,2}$/, '');
    if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) {
      throw failure('InvalidCharacterError', 'atob takes base64');
    }
    let result = '';
    let bits = 0;
    let count = 0;
    for (const character of text) {
      bits = bits << 6 | ALPHABET.indexOf(character);
      count += 6;
      if (count >= 8) {
        count -= 8;
        result += String.fromCharCode(bits >> count & 255);
        bits &= (1 << count) - 1;
      }
    }
    return result;
  };

  const crypto = Object.freeze({
    getRandomValues: (array) => {
      if (!ArrayBuffer.isView(array) || /Float|DataView/.test(array.constructor.name)) {
        throw failure('TypeMismatchError', 'getRandomValues takes an array of integers');
      }
      if (array.byteLength > 65536) throw failure('QuotaExceededError', 'getRandomValues fills at most 65536 bytes');
      const hex = random(array.byteLength);
      const bytes = bytesOf(array);
      for (let at = 0; at < bytes.length; at++) bytes[at] = parseInt(hex.slice(2 * at, 2 * at + 2), 16);
      return array;
    },
    randomUUID: () => {
      const hex = random(16);
      const variant = '89ab'[parseInt(hex[16], 16) & 3];
      return hex.slice(0, 8) + '-' + hex.slice(8, 12) + '-4' + hex.slice(13, 16) + '-' + variant + hex.slice(17, 20)
        + '-' + hex.slice(20);
    },
  });

  const structuredClone = (value) => {
    const seen = new Map();
    const copy = (one) => {
      if (typeof one === 'function' || typeof one === 'symbol') {
        throw failure('DataCloneError', 'a ' + typeof one + ' cannot be cloned');
      }
      if (one === null || typeof one !== 'object') return one;
      if (seen.has(one)) return seen.get(one);
      const keep = (made) => { seen.set(one, made); return made; };
      if (one instanceof Date) return keep(new Date(one.getTime()));
      if (one instanceof RegExp) return keep(new RegExp(one.source, one.flags));
      if (one instanceof ArrayBuffer) return keep(one.slice(0));
      if (one instanceof DataView) return keep(new DataView(copy(one.buffer), one.byteOffset, one.byteLength));
      if (ArrayBuffer.isView(one)) return keep(new one.constructor(copy(one.buffer), one.byteOffset, one.length));
      if (one instanceof Map) {
        const made = keep(new Map());
        one.forEach((item, key) => made.set(copy(key), copy(item)));
        return made;
      }
      if (one instanceof Set) {
        const made = keep(new Set());
        one.forEach((item) => made.add(copy(item)));
        return made;
      }
      if (one instanceof Error) {
        const made = keep(new (globalThis[one.name] ?? Error)(one.message));
        made.stack = one.stack;
        return made;
      }
      if (one instanceof Promise || one instanceof WeakMap || one instanceof WeakSet) {
        throw failure('DataCloneError', 'a ' + one.constructor.name + ' cannot be cloned');
      }
      const made = keep(Array.isArray(one) ? new Array(one.length) : {});
      for (const key of Object.keys(one)) made[key] = copy(one[key]);
      return made;
    };
    return copy(value);
  };

  let abort;

  class AbortSignal {
    #reason;
    #listeners = [];
    aborted = false;
    onabort = null;
    get reason() { return this.#reason; }
    addEventListener(type, listener) { if (type === 'abort') this.#listeners.push(listener); }
    removeEventListener(type, listener) { this.#listeners = this.#listeners.filter((other) => other !== listener); }
    throwIfAborted() { if (this.aborted) throw this.#reason; }
    static abort(reason) { return abort(new AbortSignal(), reason); }
    static timeout(delay) {
      const signal = new AbortSignal();
      setTimeout(() => abort(signal, failure('TimeoutError', 'the signal timed out')), delay);
      return signal;
    }
    static {
      abort = (signal, reason = failure('AbortError', 'the operation was aborted')) => {
        if (!signal.aborted) {
          signal.aborted = true;
          signal.#reason = reason;
          const event = {type: 'abort', target: signal};
          if (typeof signal.onabort === 'function') signal.onabort(event);
          for (const listener of signal.#listeners) typeof listener === 'function' ? listener(event) : listener.handleEvent(event);
        }
        return signal;
      };
    }
  }
  class AbortController {
    signal = new AbortSignal();
    abort(reason) { abort(this.signal, reason); }
  }

  const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

  class Headers {
    #map = new Map();
    constructor(init = {}) {
      const entries = typeof init[Symbol.iterator] === 'function' ? init : Object.entries(init);
      for (const [name, value] of entries) this.append(name, value);
    }
    #key(name) {
      if (!TOKEN.test(name)) throw new TypeError("'" + name + "' is no name of a header");
      return String(name).toLowerCase();
    }
    append(name, value) {
      const key = this.#key(name);
      this.#map.set(key, this.#map.has(key) ? this.#map.get(key) + ', ' + String(value).trim() : String(value).trim());
    }
    set(name, value) { this.#map.set(this.#key(name), String(value).trim()); }
    get(name) { return this.#map.get(this.#key(name)) ?? null; }
    has(name) { return this.#map.has(this.#key(name)); }
    delete(name) { this.#map.delete(this.#key(name)); }
    forEach(action) { for (const [name, value] of this) action(value, name, this); }
    *entries() { for (const name of [...this.#map.keys()].sort()) yield [name, this.#map.get(name)]; }
    *keys() { for (const [name] of this) yield name; }
    *values() { for (const [, value] of this) yield value; }
    [Symbol.iterator]() { return this.entries(); }
  }

  const typeOf = (body) => {
    if (typeof body === 'string') return 'text/plain;charset=UTF-8';
    if (body instanceof globalThis.URLSearchParams) return 'application/x-www-form-urlencoded;charset=UTF-8';
    throw new TypeError('the body of a request is a text or URLSearchParams');
  };

  class Request {
    constructor(input, options = {}) {
      const from = input instanceof Request ? input : {url: String(input), method: 'GET', headers: {}, body: null};
      const body = options.body ?? from.body;
      this.url = from.url;
      this.method = String(options.method ?? from.method).toUpperCase();
      this.headers = new Headers(options.headers ?? from.headers);
      this.body = body === null ? null : String(body);
      if (body === null) return;
      if (/^(GET|HEAD)$/.test(this.method)) throw new TypeError('a ' + this.method + ' has no body');
      const type = typeOf(body);
      if (!this.headers.has('content-type')) this.headers.set('content-type', type);
    }
  }

  class Response {
    #body;
    constructor(body = '', {status = 200, statusText = '', headers = {}, url = ''} = {}) {
      this.#body = body === null ? '' : typeof body === 'string' ? body : new TextDecoder().decode(body);
      this.status = status;
      this.statusText = statusText;
      this.ok = status >= 200 && status < 300;
      this.url = url;
      this.headers = new Headers(headers);
    }
    async text() { return this.#body; }
    async json() { return JSON.parse(this.#body); }
    async arrayBuffer() { return new TextEncoder().encode(this.#body).buffer; }
  }

  own('TextEncoder', TextEncoder);
  own('TextDecoder', TextDecoder);
  own('atob', atob);
  own('btoa', btoa);
  own('crypto', crypto);
  own('performance', Object.freeze({now: (began => () => now() - began)(now()), timeOrigin: Date.now()}));
  own('structuredClone', structuredClone);
  own('queueMicrotask', (action) => { Promise.resolve().then(action); });
  own('AbortSignal', AbortSignal);
  own('AbortController', AbortController);
  own('Headers', Headers);
  own('Request', Request);
  own('Response', Response);
})()
