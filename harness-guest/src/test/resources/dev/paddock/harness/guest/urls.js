// URLs and parameters of a query, and what they give. Left out is what Node 20 answers otherwise than the standard.
() => {
  const PARTS = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
  const show = (text, base) => {
    try {
      const url = new URL(text, base);
      return PARTS.map((part) => url[part]).concat([...url.searchParams].map(String));
    } catch (error) {
      return error.name;
    }
  };
  const result = {};
  const hosts = ['example.org', 'EXAMPLE.org', 'a_b-c.d', 'ex%41mple.org', 'a%00b', 'a b', 'a^b', 'a|b', 'a<b', 'a%zz', 'a"b', 'a`{}b',
    '', '.', 'a.', 'a..b', '..', '1.2.3.4', '1.2.3.4.', '1.2.3', '1', '0x7f.1', '0300.1', '256.1.1.1', '1.256', '4294967295', '4294967296',
    '1.2.3.4.5', '08.1', '0x', '0x.0x', 'a.1', 'a.0x1', 'a.0xg', '1e2', '[::1]', '[1:2:3:4:5:6:7:8]', '[1:0:0:4:5:0:0:0]',
    '[::ffff:1.2.3.4]', '[::1.2.3]', '[::01.2.3.4]', '[1::2::3]', '[:1]', '[1:2:3:4:5:6:7::]', '[1:2:3:4:5:6:7:8:9]', '[::12345]', '[::1', '[]', '[1:2.3.4.5::]',
    '[::g]', '[1:0:1:0:1:0:1:0]', '[::1%25eth0]', 'm\u00fcller.de', 'M\u00dcLLER.de', 'stra\u00dfe.de', '\u65e5\u672c\u8a9e.jp', '\u65e5\u672c\u3002jp', '\uff41\uff0eb', 'xn--mller-kva.de', 'xn--a', 'xn--', 'xn--zzzzzz99',
    'fa\u00adss.de', '\ud83d\ude00.org', '\ud800.org', '\u03a3.gr', '\u03b1\u03a3.gr', 'user@h', 'u:p@h', ':p@h', 'u:@h', '@h', 'u@', 'a@b@c', 'u:p:q@h', 'u%20 x:\u00e9\'"@h', 'h:80', 'h:443', 'h:', 'h:0', 'h:65535', 'h:65536', 'h:080', 'h:8a', 'h: 8', 'h:-1',
    '\u0301a.b', '%E4%BD%A0.cn', 'a%2eb', 'a%2Fb', 'localhost', 'a\\b', 'a,b', "a'b", 'a!$&*+;=b', '\u0130.tr'];
  for (const host of hosts) for (const scheme of ['http://', 'https://']) for (const rest of ['', '/p']) {
    const text = scheme + host + rest;
    result[text] = show(text);
  }
  const paths = ['/', '', '/a/./b', '/a/../b', '/..', '/../..', '/a/b/..', '/a/b/.', '/%2e', '/%2e%2E/x', '/a/.%2e/b', '/.a', '/...', '/a//b', '//a', '/a/../../b',
    '/a b', '/a"<>`{}|[]~', "/'()*!", '/%', '/%zz', '/%4', '/%41', '/\u00e9\u20ac\ud83d\ude00', '/\ud800', '/a\\b', '\\a', '/a;b=c', '/a:b@c', '/a\tb\nc', '/a\0b', '/\x7f',
    '?', '?a=b', '?a=b&c', '?a b"<>`\'{}|^', '?\u00e9', '?%zz&%41', '?a=1&a=2&&=x&b=', '?a+b=c%2B', '?#', '#', '#f', '#a b"<>`{}|^\'', '#\u00e9', '#a#b', '?a?b#c?d', '/?q', '/a?/../b', '/ ', '?q ', '#f ', '?%FF%c3%a9', '?\ud83d\ude00=\ud800'];
  for (const path of paths) { const text = 'https://h' + path; result[text] = show(text); }
  for (const text of ['', ' ', 'a', '/a', '//h', '//h/p', '///h', '?q', '#f', '.', '..', './a', '../a', '../../../a', '/..', 'a/./b', 'http:', 'http:a', 'http:/a', 'http:?q', 'https:a', 'https:/h', 'https:///h', 'https:\\\\h\\p',
      '\\a', '\\\\h', 'a:b', '%2e', '%2e%2e/a', 'mailto:x@y', 'a b', ';x', '@x', ':80', '  x  ', 'ht\ntp://h', 'HTTP://H', 'http//x', '1http://h', 'http+x://h/a/../b', 'javascript:a b', 'data:text/plain,x?q#f', 'file:///a/../b', 'file://h/p', 'file:c|/x', 'blob:https://h/u', 'ws://h:80/', 'wss://h:443/', 'ftp://h:21/x', 'about:blank', 'x:', 'x:/a/../b', 'x://u:p@H:80/', 'x:///..//p', 'x:/..//p'])
    for (const base of [undefined, 'http://u:p@b:8080/x/y/z?bq#bf', 'http://b', 'mailto:a', 'file:///C:/d/e', 'bad'])
      result[text + ' on ' + base] = show(text, base);
  const set = (start, name, value) => {
    const url = new URL(start);
    url[name] = value;
    return PARTS.map((part) => url[part]).concat([...url.searchParams].map(String));
  };
  const values = {
    href: ['https://n/x?y'], protocol: ['http', 'https:', 'ftp://x', 'x', '', '1', 'file', 'HTTP:zz', 'ws'],
    username: ['', 'me', 'a:b@c', '\u00e9'], password: ['', 'pw', ':/@'],
    host: ['n', 'n:81', 'n:443', '', 'a b', 'n/p', 'n?q', 'n\\x', '[::1]:9', 'n:x', 'n:70000', ':1', 'u@n', '0x7f.1', 'M\u00dc'],
    hostname: ['n', 'n:81', '', 'n/p', '[::1]', '[::1]:3', 'a#b'], port: ['', '81', '443', '81x', 'x', '70000', '8\n1', '/', ' 81', '0', '-1'],
    pathname: ['', 'a', '/a', '/a/../b', 'a?b#c', '\\a\\b', '/a b', '//x', '%2e%2e'], search: ['', '?', 'a=b', '?a=b', '??', 'a#b', 'a b\'', '\u00e9', 'a\nb'],
    hash: ['', '#', 'a', '#a', '##', 'a b`', 'a\tb'],
  };
  for (const start of ['https://u:p@h:8080/a/b?x=y#z', 'http://h', 'x:opaque', 'file:///p'])
    for (const name of Object.keys(values)) for (const value of values[name])
      result['(' + start + ').' + name + ' = ' + value] = set(start, name, value);
  const params = (init, change = () => {}) => {
    try {
      const made = new URLSearchParams(init);
      const value = change(made);
      return [String(made), made.size, [...made], value ?? null];
    } catch (error) {
      return error.name;
    }
  };
  for (const init of ['', '?', '?a=b', '??a', 'a', 'a=b=c', '=', '&', 'a=1&b=2&a=3', 'a+b=+', '%41=%zz', '%', '%c3%a9=\u00e9', '%ff', "~!'()*-._ ", '\ud800', 'a=\0', '\ufeffx=1', '%EF%BB%BFx=1'])
    result['params ' + init] = params(init);
  const others = {list: [['a', 'b'], ['c', 1]], object: {a: 1, b: null}, wrong: [['a']], longer: [['a', 'b', 'c']], number: 5, none: undefined, map: new Map([['k', 'v']]), own: new URLSearchParams('a=b&a=c')};
  for (const name of Object.keys(others)) result['params of ' + name] = params(others[name]);
  const changes = {
    append: (p) => p.append('a', ' &=+\u00e9'), remove: (p) => p.delete('a'), removeValue: (p) => p.delete('a', '3'), get: (p) => [p.get('a'), p.get('z'), p.getAll('a'), p.has('b'), p.has('a', '1'), p.has('a', 'x')],
    set: (p) => p.set('a', 'n'), setNew: (p) => p.set('z', 'n'), setLater: (p) => p.set('b', 'n'), sort: (p) => p.sort(), keys: (p) => [[...p.keys()], [...p.values()], [...p.entries()]],
    each: (p) => { const seen = []; p.forEach((value, name, self) => seen.push([value, name, self === p])); return seen; },
  };
  for (const name of Object.keys(changes)) result['params ' + name] = params('c=0&a=1&b=2&a=3&\ud83d\ude00=4&\uffff=5', changes[name]);
  for (const name of Object.keys(changes)) {
    const url = new URL('https://h/?c=0&a=1&b=2&a=3#f');
    const kept = url.searchParams;
    changes[name](kept);
    result['of a URL: ' + name] = [url.href, url.search, String(kept), kept === url.searchParams];
    url.search = '?new=1';
    result['then: ' + name] = [url.href, [...kept]];
    kept.delete('new');
    result['emptied: ' + name] = url.href;
  }
  result.can = [URL.canParse('x'), URL.canParse('x', 'http://h'), URL.canParse('http://h'), URL.canParse('a', 'b')];
  result.json = [JSON.stringify({u: new URL('http://h')}), String(new URL('http://h/%7e')), '' + new URL('a', new URL('http://h/b/c'))];
  const plain = (text) => text.replace(/[\ud800-\udfff]/g, (unit) => 'U+' + unit.charCodeAt(0).toString(16));
  return Object.fromEntries(Object.entries(result).map(([text, answer]) => [plain(text), answer]));
}
