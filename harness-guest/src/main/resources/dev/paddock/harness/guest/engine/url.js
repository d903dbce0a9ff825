// URL and URLSearchParams by the WHATWG's standard (https://url.spec.whatwg.org, whose names the states have).
// Host names beyond ASCII are mapped by NFKC and lower case, and not by the whole table of UTS #46.
(() => {
  'use strict';
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const PORTS = {__proto__: null, ftp: 21, file: null, http: 80, https: 443, ws: 80, wss: 443};
  const isSpecial = (url) => url.scheme in PORTS;
  const wellFormed = (value) => String(value)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');

  const set = (characters) => (c) => c < ' ' || c > '~' || characters.includes(c);
  const CONTROL = set('');
  const FRAGMENT = set(' "<>`');
  const QUERY = set(' "#<>');
  const SPECIAL_QUERY = set(' "#<>\'');
  const PATH = set(' "#<>?^`{}');
  const USERINFO = set(' "#<>?`{}/:;=@[\\]^|');
  const escape = (byte) => '%' + (byte < 16 ? '0' : '') + byte.toString(16).toUpperCase();
  const encode = (text, needs) => {
    let result = '';
    for (const c of text) {
      if (!needs(c)) result += c;
      else for (const byte of encoder.encode(c)) result += escape(byte);
    }
    return result;
  };
  const decode = (text) => {
    const bytes = encoder.encode(text);
    const result = [];
    for (let at = 0; at < bytes.length; at++) {
      const digits = String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0);
      const isEscape = bytes[at] === 0x25 && /^[0-9a-f]{2}$/i.test(digits);
      result.push(isEscape ? parseInt(digits, 16) : bytes[at]);
      if (isEscape) at += 2;
    }
    return decoder.decode(new Uint8Array(result));
  };

  // Punycode (RFC 3492).
  const adapt = (delta, points, isFirst) => {
    let rest = isFirst ? Math.floor(delta / 700) : delta >> 1;
    rest += Math.floor(rest / points);
    let k = 0;
    for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
    return k + Math.floor(36 * rest / (rest + 38));
  };
  const threshold = (k, bias) => k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
  const digit = (value) => String.fromCharCode(value < 26 ? value + 97 : value + 22);
  const toPunycode = (label) => {
    const points = Array.from(label, (c) => c.codePointAt(0));
    const basic = points.filter((point) => point < 128);
    let result = String.fromCharCode(...basic) + (basic.length > 0 ? '-' : '');
    let bias = 72;
    let delta = 0;
    let handled = basic.length;
    for (let n = 128; handled < points.length; n++, delta++) {
      const least = Math.min(...points.filter((point) => point >= n));
      delta += (least - n) * (handled + 1);
      n = least;
      for (const point of points) {
        if (point < n) delta++;
        if (point !== n) continue;
        let q = delta;
        for (let k = 36; ; k += 36) {
          const t = threshold(k, bias);
          if (q < t) break;
          result += digit(t + (q - t) % (36 - t));
          q = Math.floor((q - t) / (36 - t));
        }
        result += digit(q);
        bias = adapt(delta, ++handled, handled === basic.length + 1);
        delta = 0;
      }
    }
    return result;
  };
  const fromPunycode = (text) => {
    const end = text.lastIndexOf('-');
    const points = Array.from(text.slice(0, Math.max(end, 0)), (c) => c.codePointAt(0));
    let n = 128;
    let bias = 72;
    let i = 0;
    for (let at = end + 1; at < text.length;) {
      const before = i;
      let weight = 1;
      for (let k = 36; ; k += 36) {
        const c = text.charCodeAt(at++);
        const value = c >= 97 && c <= 122 ? c - 97 : c >= 48 && c <= 57 ? c - 22 : NaN;
        i += value * weight;
        if (!(i <= 0x7fffffff)) return null;
        const t = threshold(k, bias);
        if (value < t) break;
        weight *= 36 - t;
      }
      bias = adapt(i - before, points.length + 1, before === 0);
      n += Math.floor(i / (points.length + 1));
      i %= points.length + 1;
      if (n > 0x10ffff) return null;
      points.splice(i++, 0, n);
    }
    return String.fromCodePoint(...points);
  };

  const MAX_UNMAPPED_NAME = 4096;
  const mapped = (text) => Array.from(text.replace(/[\u00ad\u200b\u2060\ufeff\ufe00-\ufe0f]/g, '').normalize('NFKC'),
    (c) => c.toLowerCase()).join('').normalize('NFKC').replace(/\u3002/g, '.');
  // Begins with a mark, or has controls, unassigned or private characters.
  const isInvalid = (label) => /^\p{M}|[\p{C}\ufffd]/u.test(label);
  const isAscii = (text) => /^[\0-\x7f]*$/.test(text);
  const domainToAscii = (domain) => {
    if (isAscii(domain) && !/(^|\.)xn--/i.test(domain)) return domain.toLowerCase();
    if (domain.length > MAX_UNMAPPED_NAME) return null;
    const labels = mapped(domain).split('.').map((label) => {
      if (label.startsWith('xn--')) {
        const name = fromPunycode(label.slice(4));
        return name === null || isAscii(name) || mapped(name) !== name || isInvalid(name) ? null : label;
      }
      if (isAscii(label)) return label;
      return isInvalid(label) ? null : 'xn--' + toPunycode(label);
    });
    return labels.includes(null) ? null : labels.join('.');
  };

  const number = (text) => {
    if (text === '') return NaN;
    const [digits, radix] = /^0x/i.test(text) ? [text.slice(2), 16] : /^0./.test(text) ? [text.slice(1), 8] : [text, 10];
    if (digits === '') return 0;
    const possible = radix === 16 ? /^[0-9a-f]+$/i : radix === 8 ? /^[0-7]+$/ : /^[0-9]+$/;
    return possible.test(digits) ? parseInt(digits, radix) : NaN;
  };
  const endsInNumber = (domain) => {
    const parts = domain.split('.');
    if (parts.at(-1) === '' && parts.length > 1) parts.pop();
    return /^[0-9]+$/.test(parts.at(-1)) || /^0x[0-9a-f]*$/i.test(parts.at(-1));
  };
  const ipv4 = (domain) => {
    const parts = domain.split('.');
    if (parts.at(-1) === '' && parts.length > 1) parts.pop();
    const numbers = parts.map(number);
    if (numbers.length > 4 || numbers.some(Number.isNaN) || numbers.slice(0, -1).some((one) => one > 255)
        || numbers.at(-1) >= 256 ** (5 - numbers.length)) return null;
    const address = numbers.slice(0, -1).reduce((sum, one, at) => sum + one * 256 ** (3 - at), numbers.at(-1));
    return [3, 2, 1, 0].map((at) => Math.floor(address / 256 ** at) % 256).join('.');
  };
  const pieces = (text) => text === '' ? [] : text.split(':').flatMap((piece, at, all) => {
    if (at === all.length - 1 && piece.includes('.')) {
      const bytes = piece.split('.').map((one) => /^(0|[1-9][0-9]{0,2})$/.test(one) && +one < 256 ? +one : NaN);
      return bytes.length === 4 ? [bytes[0] * 256 + bytes[1], bytes[2] * 256 + bytes[3]] : [NaN];
    }
    return [/^[0-9a-f]{1,4}$/i.test(piece) ? parseInt(piece, 16) : NaN];
  });
  const ipv6 = (text) => {
    const halves = text.split('::');
    if (halves.length > 2 || (halves.length === 2 && halves[0].includes('.'))) return null;
    const [head, tail] = [pieces(halves[0]), pieces(halves[1] ?? '')];
    const missing = 8 - head.length - tail.length;
    if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
    const all = [...head, ...new Array(missing).fill(0), ...tail];
    if (all.some(Number.isNaN)) return null;
    let best = [0, 0];
    for (let at = 0; at < 8; at++) {
      let end = at;
      while (end < 8 && all[end] === 0) end++;
      if (end - at > Math.max(best[1], 1)) best = [at, end - at];
    }
    const hex = (part) => part.map((one) => one.toString(16)).join(':');
    return '[' + (best[1] < 2 ? hex(all) : hex(all.slice(0, best[0])) + '::' + hex(all.slice(best[0] + best[1]))) + ']';
  };
  const host = (text, special) => {
    if (text.startsWith('[')) return text.endsWith(']') ? ipv6(text.slice(1, -1)) : null;
    if (!special) return /[\0\t\n\r #/:<>?@[\\\]^|]/.test(text) ? null : encode(text, CONTROL);
    const domain = domainToAscii(decode(text));
    if (domain === null || domain === '' || /[\0-\x20#%/:<>?@[\\\]^|\x7f]/.test(domain)) return null;
    return endsInNumber(domain) ? ipv4(domain) : domain;
  };

  const isDrive = (text) => /^[a-z][:|]$/i.test(text);
  const startsWithDrive = (m) => /^[a-z][:|]([/\\?#]|$)/i.test(m.points.slice(m.at, m.at + 3).join(''));
  const shorten = (url) => {
    if (!(url.scheme === 'file' && url.path.length === 1 && /^[a-z]:$/i.test(url.path[0]))) url.path.pop();
  };
  const FAILED = 'failed';
  const DONE = 'done';
  const isEnd = (c) => c === undefined;
  const isSlash = (m, c) => c === '/' || (isSpecial(m.url) && c === '\\');
  const endsAuthority = (m, c) => isEnd(c) || c === '?' || c === '#' || isSlash(m, c);
  const again = (m, state) => { m.state = state; m.at--; };
  const toQuery = (m, c) => {
    if (c === '?') { m.url.query = ''; m.state = 'query'; } else if (c === '#') { m.url.fragment = ''; m.state = 'fragment'; }
  };
  const copy = (m, ...names) => {
    for (const name of names) m.url[name] = Array.isArray(m.base[name]) ? [...m.base[name]] : m.base[name];
  };

  const STATES = {
    schemeStart(m, c) {
      if (/^[a-z]$/i.test(c ?? '')) { m.buffer = c.toLowerCase(); m.state = 'scheme'; }
      else if (m.override) return FAILED;
      else again(m, 'noScheme');
    },
    scheme(m, c) {
      const {url} = m;
      if (/^[a-z0-9+.-]$/i.test(c ?? '')) { m.buffer += c.toLowerCase(); return; }
      if (c !== ':') {
        if (m.override) return FAILED;
        m.buffer = '';
        m.at = -1;
        m.state = 'noScheme';
        return;
      }
      if (m.override) {
        const hasCredentials = url.username !== '' || url.password !== '' || url.port !== null;
        if (isSpecial(url) !== m.buffer in PORTS || (hasCredentials && m.buffer === 'file')
            || (url.scheme === 'file' && url.host === '')) return DONE;
        url.scheme = m.buffer;
        if (url.port === PORTS[url.scheme]) url.port = null;
        return DONE;
      }
      url.scheme = m.buffer;
      m.buffer = '';
      const isAuthority = m.points[m.at + 1] === '/';
      if (url.scheme === 'file') m.state = 'file';
      else if (isSpecial(url)) m.state = m.base?.scheme === url.scheme ? 'specialRelativeOrAuthority' : 'specialAuthoritySlashes';
      else if (isAuthority) { m.state = 'pathOrAuthority'; m.at++; }
      else { url.path = ''; m.state = 'opaquePath'; }
    },
    noScheme(m, c) {
      const {base, url} = m;
      const isOpaque = base && typeof base.path === 'string';
      if (!base || (isOpaque && c !== '#')) return FAILED;
      if (isOpaque) {
        copy(m, 'scheme', 'path', 'query');
        url.fragment = '';
        m.state = 'fragment';
      } else again(m, base.scheme === 'file' ? 'file' : 'relative');
    },
    specialRelativeOrAuthority(m, c) {
      if (c === '/' && m.points[m.at + 1] === '/') { m.state = 'specialAuthorityIgnoreSlashes'; m.at++; }
      else again(m, 'relative');
    },
    pathOrAuthority(m, c) {
      if (c === '/') m.state = 'authority';
      else again(m, 'path');
    },
    relative(m, c) {
      m.url.scheme = m.base.scheme;
      if (isSlash(m, c)) { m.state = 'relativeSlash'; return; }
      copy(m, 'username', 'password', 'host', 'port', 'path', 'query');
      if (c === '?' || c === '#') toQuery(m, c);
      else if (!isEnd(c)) {
        m.url.query = null;
        shorten(m.url);
        again(m, 'path');
      }
    },
    relativeSlash(m, c) {
      if (isSpecial(m.url) && (c === '/' || c === '\\')) m.state = 'specialAuthorityIgnoreSlashes';
      else if (c === '/') m.state = 'authority';
      else {
        copy(m, 'username', 'password', 'host', 'port');
        again(m, 'path');
      }
    },
    specialAuthoritySlashes(m, c) {
      if (c === '/' && m.points[m.at + 1] === '/') { m.state = 'specialAuthorityIgnoreSlashes'; m.at++; }
      else again(m, 'specialAuthorityIgnoreSlashes');
    },
    specialAuthorityIgnoreSlashes(m, c) {
      if (c !== '/' && c !== '\\') again(m, 'authority');
    },
    authority(m, c) {
      const {url} = m;
      if (c === '@') {
        const text = (m.hasAt ? '%40' : '') + m.buffer;
        m.hasAt = true;
        const colon = m.hasPassword ? -1 : text.indexOf(':');
        const end = colon < 0 ? text.length : colon;
        if (m.hasPassword) url.password += encode(text, USERINFO);
        else {
          url.username += encode(text.slice(0, end), USERINFO);
          if (colon >= 0) {
            m.hasPassword = true;
            url.password += encode(text.slice(colon + 1), USERINFO);
          }
        }
        m.buffer = '';
      } else if (endsAuthority(m, c)) {
        if (m.hasAt && m.buffer === '') return FAILED;
        m.at -= Array.from(m.buffer).length + 1;
        m.buffer = '';
        m.state = 'host';
      } else m.buffer += c;
    },
    host(m, c) {
      const {url} = m;
      if (m.override && url.scheme === 'file') { again(m, 'fileHost'); return; }
      if (c === ':' && !m.inBrackets) {
        if (m.buffer === '' || m.override === 'hostname') return FAILED;
        const found = host(m.buffer, isSpecial(url));
        if (found === null) return FAILED;
        url.host = found;
        m.buffer = '';
        m.state = 'port';
      } else if (endsAuthority(m, c)) {
        if (isSpecial(url) && m.buffer === '') return FAILED;
        if (m.override && m.buffer === '' && (url.username !== '' || url.password !== '' || url.port !== null)) return FAILED;
        const found = m.buffer === '' ? '' : host(m.buffer, isSpecial(url));
        if (found === null) return FAILED;
        url.host = found;
        m.buffer = '';
        if (m.override) return DONE;
        again(m, 'pathStart');
      } else {
        if (c === '[') m.inBrackets = true;
        if (c === ']') m.inBrackets = false;
        m.buffer += c;
      }
    },
    port(m, c) {
      const {url} = m;
      if (/^[0-9]$/.test(c ?? '')) { m.buffer += c; return; }
      if (!endsAuthority(m, c) && !m.override) return FAILED;
      if (m.buffer !== '') {
        const port = +m.buffer;
        if (port > 65535) return FAILED;
        url.port = port === PORTS[url.scheme] ? null : port;
        m.buffer = '';
        if (m.override) return DONE;
      }
      if (m.override) return FAILED;
      again(m, 'pathStart');
    },
    file(m, c) {
      const {base, url} = m;
      url.scheme = 'file';
      url.host = '';
      if (c === '/' || c === '\\') { m.state = 'fileSlash'; return; }
      if (base?.scheme !== 'file') { again(m, 'path'); return; }
      copy(m, 'host', 'path', 'query');
      if (c === '?' || c === '#') toQuery(m, c);
      else if (!isEnd(c)) {
        url.query = null;
        if (startsWithDrive(m)) url.path = [];
        else shorten(url);
        again(m, 'path');
      }
    },
    fileSlash(m, c) {
      if (c === '/' || c === '\\') { m.state = 'fileHost'; return; }
      if (m.base?.scheme === 'file') {
        copy(m, 'host');
        if (!startsWithDrive(m) && /^[a-z]:$/i.test(m.base.path[0] ?? '')) m.url.path.push(m.base.path[0]);
      }
      again(m, 'path');
    },
    fileHost(m, c) {
      if (!(isEnd(c) || /^[/\\?#]$/.test(c))) { m.buffer += c; return; }
      if (!m.override && isDrive(m.buffer)) { again(m, 'path'); return; }
      const found = m.buffer === '' ? '' : host(m.buffer, true);
      if (found === null) return FAILED;
      m.url.host = found === 'localhost' ? '' : found;
      m.buffer = '';
      if (m.override) return DONE;
      again(m, 'pathStart');
    },
    pathStart(m, c) {
      if (isSpecial(m.url)) {
        m.state = 'path';
        if (c !== '/' && c !== '\\') m.at--;
      } else if (!m.override && (c === '?' || c === '#')) toQuery(m, c);
      else if (!isEnd(c)) {
        m.state = 'path';
        if (c !== '/') m.at--;
      } else if (m.override && m.url.host === null) m.url.path.push('');
    },
    path(m, c) {
      const {url} = m;
      if (!(isEnd(c) || isSlash(m, c) || (!m.override && (c === '?' || c === '#')))) {
        m.buffer += PATH(c) ? encode(c, PATH) : c;
        return;
      }
      const plain = m.buffer.replace(/%2e/gi, '.');
      if (plain === '..') {
        shorten(url);
        if (!isSlash(m, c)) url.path.push('');
      } else if (plain === '.') {
        if (!isSlash(m, c)) url.path.push('');
      } else {
        if (url.scheme === 'file' && url.path.length === 0 && isDrive(m.buffer)) m.buffer = m.buffer[0] + ':';
        url.path.push(m.buffer);
      }
      m.buffer = '';
      toQuery(m, c);
    },
    opaquePath(m, c) {
      if (c === '?' || c === '#') toQuery(m, c);
      else if (!isEnd(c)) m.url.path += encode(c, CONTROL);
    },
    query(m, c) {
      if (c === '#' && !m.override) toQuery(m, c);
      else if (!isEnd(c)) m.url.query += encode(c, isSpecial(m.url) ? SPECIAL_QUERY : QUERY);
    },
    fragment(m, c) {
      if (!isEnd(c)) m.url.fragment += encode(c, FRAGMENT);
    },
  };

  const fresh = () => ({
    scheme: '', username: '', password: '', host: null, port: null, path: [], query: null, fragment: null,
  });
  const run = (text, url, base, override) => {
    const state = override === 'hostname' ? 'host' : override ?? 'schemeStart';
    const points = Array.from(text.replace(/[\t\n\r]/g, ''));
    const m = {points, url, base, override, state, at: 0, buffer: '', hasAt: false, hasPassword: false, inBrackets: false};
    for (; m.at <= points.length; m.at++) {
      const ended = STATES[m.state](m, points[m.at]);
      if (ended !== undefined) return ended;
    }
    return DONE;
  };
  const parse = (text, base) => {
    const url = fresh();
    return run(wellFormed(text).replace(/^[\0-\x20]+|[\0-\x20]+$/g, ''), url, base) === FAILED ? null : url;
  };
  const pathOf = (url) => typeof url.path === 'string' ? url.path : url.path.map((part) => '/' + part).join('');
  const hostOf = (url) => (url.host ?? '') + (url.port === null ? '' : ':' + url.port);
  const serialize = (url) => {
    const credentials = url.username + (url.password === '' ? '' : ':' + url.password);
    const authority = url.host !== null ? '//' + (credentials === '' ? '' : credentials + '@') + hostOf(url)
      : Array.isArray(url.path) && url.path.length > 1 && url.path[0] === '' ? '/.' : '';
    return url.scheme + ':' + authority + pathOf(url) + (url.query === null ? '' : '?' + url.query)
      + (url.fragment === null ? '' : '#' + url.fragment);
  };

  const isKept = /^[A-Za-z0-9*._-]$/;
  const formEncode = (text) => {
    let result = '';
    for (const c of text) {
      if (isKept.test(c)) result += c;
      else if (c === ' ') result += '+';
      else for (const byte of encoder.encode(c)) result += escape(byte);
    }
    return result;
  };
  const formParse = (text) => text.split('&').filter((part) => part !== '').map((part) => {
    const at = part.indexOf('=');
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))];
  });

  let join;

  class URLSearchParams {
    #list = [];
    #changed = () => {};
    constructor(init = '') {
      if (init !== null && (typeof init === 'object' || typeof init === 'function')) {
        const pairs = typeof init[Symbol.iterator] === 'function' ? [...init] : Object.entries(init);
        this.#list = pairs.map((pair) => {
          const both = [...pair];
          if (both.length !== 2) throw new TypeError('each parameter is a name and a value');
          return both.map(wellFormed);
        });
      } else this.#list = formParse(wellFormed(init).replace(/^\?/, ''));
    }
    static {
      join = (query, changed) => {
        const params = new URLSearchParams();
        params.#changed = () => changed(params.toString());
        const fill = (text) => { params.#list = formParse(text ?? ''); };
        fill(query);
        return {params, fill};
      };
    }
    get size() { return this.#list.length; }
    append(name, value) {
      this.#list.push([wellFormed(name), wellFormed(value)]);
      this.#changed();
    }
    #others(name, value) {
      return this.#list.filter(([one, other]) => one !== wellFormed(name)
        || (value !== undefined && other !== wellFormed(value)));
    }
    delete(name, value) {
      this.#list = this.#others(name, value);
      this.#changed();
    }
    get(name) { return this.#list.find(([one]) => one === wellFormed(name))?.[1] ?? null; }
    getAll(name) { return this.#list.filter(([one]) => one === wellFormed(name)).map(([, value]) => value); }
    has(name, value) { return this.#others(name, value).length < this.#list.length; }
    set(name, value) {
      const first = this.#list.findIndex(([one]) => one === wellFormed(name));
      const pair = [wellFormed(name), wellFormed(value)];
      const others = this.#others(name);
      others.splice(first < 0 ? others.length : first, 0, pair);
      this.#list = others;
      this.#changed();
    }
    sort() {
      this.#list.sort(([one], [other]) => one < other ? -1 : one > other ? 1 : 0);
      this.#changed();
    }
    forEach(action, self) { for (const [name, value] of this) action.call(self, value, name, this); }
    *entries() { for (let at = 0; at < this.#list.length; at++) yield [...this.#list[at]]; }
    *keys() { for (const [name] of this) yield name; }
    *values() { for (const [, value] of this) yield value; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return this.#list.map(([name, value]) => formEncode(name) + '=' + formEncode(value)).join('&'); }
    get [Symbol.toStringTag]() { return 'URLSearchParams'; }
  }

  class URL {
    #url;
    #query;
    constructor(text, base) {
      const parsed = base === undefined ? null : parse(base);
      const url = base !== undefined && parsed === null ? null : parse(text, parsed);
      if (url === null) throw Object.assign(new TypeError('Invalid URL'), {code: 'ERR_INVALID_URL', input: String(text)});
      this.#url = url;
      this.#query = join(url.query, (query) => { this.#url.query = query === '' ? null : query; });
    }
    static canParse(text, base) { return URL.parse(text, base) !== null; }
    static parse(text, base) {
      try {
        return new URL(text, base);
      } catch (error) {
        if (error?.code === 'ERR_INVALID_URL') return null;
        throw error;
      }
    }
    get #hasNoAuthority() { return this.#url.host === null || this.#url.host === '' || this.#url.scheme === 'file'; }
    #set(value, override) { run(wellFormed(value), this.#url, null, override); }
    get href() { return serialize(this.#url); }
    set href(value) {
      const url = parse(value);
      if (url === null) throw Object.assign(new TypeError('Invalid URL'), {code: 'ERR_INVALID_URL', input: String(value)});
      this.#url = url;
      this.#query.fill(url.query);
    }
    get origin() {
      const {scheme} = this.#url;
      if (scheme === 'blob') return /^https?:/.test(pathOf(this.#url)) ? URL.parse(pathOf(this.#url))?.origin ?? 'null' : 'null';
      return scheme in PORTS && scheme !== 'file' ? scheme + '://' + hostOf(this.#url) : 'null';
    }
    get protocol() { return this.#url.scheme + ':'; }
    set protocol(value) { this.#set(value + ':', 'schemeStart'); }
    get username() { return this.#url.username; }
    set username(value) { if (!this.#hasNoAuthority) this.#url.username = encode(wellFormed(value), USERINFO); }
    get password() { return this.#url.password; }
    set password(value) { if (!this.#hasNoAuthority) this.#url.password = encode(wellFormed(value), USERINFO); }
    get host() { return hostOf(this.#url); }
    set host(value) { if (Array.isArray(this.#url.path)) this.#set(value, 'host'); }
    get hostname() { return this.#url.host ?? ''; }
    set hostname(value) { if (Array.isArray(this.#url.path)) this.#set(value, 'hostname'); }
    get port() { return this.#url.port === null ? '' : String(this.#url.port); }
    set port(value) {
      if (this.#hasNoAuthority) return;
      if (String(value) === '') this.#url.port = null;
      else this.#set(value, 'port');
    }
    get pathname() { return pathOf(this.#url); }
    set pathname(value) {
      if (!Array.isArray(this.#url.path)) return;
      this.#url.path = [];
      this.#set(value, 'pathStart');
    }
    get search() { return this.#url.query === null || this.#url.query === '' ? '' : '?' + this.#url.query; }
    set search(value) {
      const text = String(value).replace(/^\?/, '');
      this.#url.query = String(value) === '' ? null : '';
      if (String(value) !== '') this.#set(text, 'query');
      this.#query.fill(this.#url.query);
    }
    get searchParams() { return this.#query.params; }
    get hash() { return this.#url.fragment === null || this.#url.fragment === '' ? '' : '#' + this.#url.fragment; }
    set hash(value) {
      this.#url.fragment = String(value) === '' ? null : '';
      if (String(value) !== '') this.#set(String(value).replace(/^#/, ''), 'fragment');
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
    get [Symbol.toStringTag]() { return 'URL'; }
  }

  for (const [name, value] of Object.entries({URL, URLSearchParams})) {
    Object.defineProperty(globalThis, name, {value, writable: true, configurable: true, enumerable: false});
  }
})()
