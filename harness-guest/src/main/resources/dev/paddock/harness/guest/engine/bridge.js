// The guest's side of the bridge. It takes what it needs of the language before any other code
// runs, and keeps the host's functions to itself. The host trusts no line of it.
(() => {
  'use strict';
  const host = globalThis.__host;
  delete globalThis.__host;
  const {next, define, resolve, now} = host;
  const {parse, stringify} = JSON;
  const {freeze, defineProperty, create, keys} = Object;
  const {apply, ownKeys, get} = Reflect;
  const TheMap = Map;
  const {set: mapSet, get: mapGet, delete: mapDelete} = Map.prototype;
  const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get;
  const ThePromise = Promise;
  const then = Promise.prototype.then;
  const TheError = Error;
  const text = String;
  const {join: arrayJoin} = Array.prototype;
  const {replace, charCodeAt} = String.prototype;
  const numberText = Number.prototype.toString;
  // With properties of its own, since replace asks the expression for them, and the guest may change the prototype's.
  const surrogate = /[\ud800-\udfff]/g;
  const {exec} = RegExp.prototype;
  const ofExpression = {exec, flags: 'g', global: true, unicode: false, [Symbol.replace]: RegExp.prototype[Symbol.replace]};
  for (const name of ownKeys(ofExpression)) defineProperty(surrogate, name, {value: ofExpression[name]});
  const escape = (unit) => '\\u' + apply(numberText, apply(charCodeAt, unit, [0]), [16]);
  // Surrogates occur only inside strings. The engine does not pass a pair of them to the host as one character.
  const send = (line) => host.send(apply(replace, line, [surrogate, escape]));
  const pending = new TheMap();
  const timers = new TheMap();
  let calls = 0;
  let timerIds = 0;
  let done = false;

  // Concatenated, so that no toJSON and no setter of the guest's sees or changes the envelope.
  // The error is made here, where its stack has the guest's line.
  const call = (method, args) => new ThePromise((fulfil, reject) => {
    const id = ++calls;
    const error = new TheError();
    const body = stringify(args);
    apply(mapSet, pending, [id, {fulfil, reject, error}]);
    send('{"id":' + id + ',"method":"' + method + '","args":' + (body === undefined ? 'null' : body) + '}');
  });

  const own = (entries) => {
    const result = create(null);
    for (const name of keys(entries)) {
      if (entries[name] !== undefined) result[name] = entries[name];
    }
    return result;
  };

  const show = (value) => {
    if (typeof value === 'string') return value;
    try {
      if (value instanceof TheError) return text(value.stack ? value.name + ': ' + value.message : value);
      const json = stringify(value);
      return json === undefined ? text(value) : json;
    } catch {
      return text(typeof value);
    }
  };

  const log = (...values) => {
    let line = '';
    for (let i = 0; i < values.length; i++) line += (i === 0 ? '' : ' ') + show(values[i]);
    send('{"log":' + stringify(line) + '}');
  };

  const console = freeze({log, error: log, warn: log, info: log, debug: log});

  const variables = (scope) => freeze({
    get: (name) => call(scope + '.get', own({name})),
    keys: () => call(scope + '.keys', own({})),
  });

  const WORKSPACE = freeze({
    read: (path) => call('workspace.readText', own({path})),
    readText: (path) => call('workspace.readText', own({path})),
    readBase64: (path) => call('workspace.read', own({path})),
    write: (path, content) => call('workspace.writeText', own({path, text: content})),
    writeText: (path, content) => call('workspace.writeText', own({path, text: content})),
    writeBase64: (path, base64) => call('workspace.write', own({path, base64})),
    list: (path) => call('workspace.list', own({path})),
    stat: (path) => call('workspace.stat', own({path})),
    glob: (pattern) => call('workspace.glob', own({pattern})),
    grep: (query, options) => call('workspace.grep', own({query, ...options})),
    remove: (path, options) => call('workspace.remove', own({path, ...options})),
  });

  const EXEC = freeze({
    run: (command, args, options) => call('exec.run',
        own(typeof command === 'object' ? {...command} : {command, args, ...options})),
    shell: (script, options) => call('exec.shell',
        own(typeof script === 'object' ? {...script} : {script, ...options})),
  });

  const ENV = variables('env');
  const SECRETS = variables('secrets');
  const OBSERVE = freeze({emit: (event) => call('observe.emit', own({...event}))});

  const TheHeaders = globalThis.Headers;
  const TheRequest = globalThis.Request;
  const TheResponse = globalThis.Response;
  const OPTIONS = ['method', 'headers', 'body', 'signal'];

  const fetch = async (input, options = {}) => {
    for (const name of keys(options)) {
      if (!OPTIONS.includes(name)) throw new TypeError("fetch: the option '" + name + "' is not possible");
    }
    const {signal} = options;
    if (signal) signal.throwIfAborted();
    const request = new TheRequest(input, options);
    const headers = {};
    for (const [name, value] of new TheHeaders(request.headers)) headers[name] = value;
    const body = request.body ?? undefined;
    const sent = call('net.fetch', own({url: request.url, method: request.method, headers, body}));
    const answer = await (!signal ? sent : ThePromise.race([sent, new ThePromise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    })]));
    return new TheResponse(answer.body, answer);
  };

  const setTimeout = (action, delay, ...args) => {
    const id = ++timerIds;
    apply(mapSet, timers, [id, {at: now() + (delay > 0 ? +delay : 0), action, args}]);
    return id;
  };
  const clearTimeout = (id) => { apply(mapDelete, timers, [id]); };
  const setInterval = (action, delay, ...args) => {
    const every = delay > 1 ? +delay : 1;
    const id = ++timerIds;
    apply(mapSet, timers, [id, {at: now() + every, action, args, every}]);
    return id;
  };
  const clearInterval = clearTimeout;

  const bindings = freeze({WORKSPACE, EXEC, ENV, SECRETS, OBSERVE});
  const globals = {WORKSPACE, EXEC, ENV, SECRETS, OBSERVE, console, fetch, setTimeout, clearTimeout,
    setInterval, clearInterval};
  for (const name of keys(globals)) {
    defineProperty(globalThis, name, {value: globals[name], writable: true, configurable: true, enumerable: false});
  }

  const finish = (line) => {
    if (!done) {
      done = true;
      send(line);
    }
  };

  const fail = (error) => {
    let name = 'Error';
    let message = '';
    let stack = '';
    try {
      if (error !== null && typeof error === 'object') {
        name = text(error.name ?? 'Error');
        message = text(error.message ?? '');
        stack = text(error.stack ?? '');
      } else {
        message = text(error);
      }
    } catch {
      message = 'the error could not be shown';
    }
    finish('{"error":{"name":' + stringify(name) + ',"message":' + stringify(message)
        + ',"stack":' + stringify(stack) + '}}');
  };

  const succeed = (value) => {
    let body;
    try {
      body = stringify(value);
    } catch (error) {
      fail(new TheError('the result is no JSON: ' + error.message));
      return;
    }
    finish('{"result":' + (body === undefined ? 'null' : body) + '}');
  };

  const settle = (line) => {
    const answer = parse(line);
    const waiting = apply(mapGet, pending, [answer.id]);
    if (waiting === undefined) return;
    apply(mapDelete, pending, [answer.id]);
    if (answer.error === undefined) {
      waiting.fulfil(answer.result);
    } else {
      defineProperty(waiting.error, 'message', {value: answer.error.message, configurable: true, writable: true});
      defineProperty(waiting.error, 'name', {value: answer.error.name, configurable: true, writable: true});
      waiting.reject(waiting.error);
    }
  };

  const runTimer = () => {
    let first;
    let earliest = Infinity;
    apply(Map.prototype.forEach, timers, [(timer, id) => {
      if (timer.at < earliest) {
        earliest = timer.at;
        first = id;
      }
    }]);
    const timer = apply(mapGet, timers, [first]);
    if (timer.every === undefined) {
      apply(mapDelete, timers, [first]);
    } else {
      timer.at = now() + timer.every;
    }
    timer.action(...timer.args);
  };

  // Returns the milliseconds to the next timer, never less than 0; undefined without timers. The clock
  // is read once: read twice, it may pass the timer's time in between.
  const soonest = () => {
    let earliest;
    apply(Map.prototype.forEach, timers, [(timer) => {
      if (earliest === undefined || timer.at < earliest) earliest = timer.at;
    }]);
    if (earliest === undefined) return undefined;
    const wait = earliest - now();
    return wait > 0 ? wait : 0;
  };

  // Starts the guest: the first line says what it is. Called once, by the host's program.
  const start = (load) => {
    const order = parse(next(-1));
    for (const name of keys(order.modules)) define(name, order.modules[name]);
    for (const base of keys(order.imports)) {
      for (const specifier of keys(order.imports[base])) resolve(base, specifier, order.imports[base][specifier]);
    }
    apply(then, load(order.main), [(module) => {
      const run = module[order.exportName] ?? module.default;
      if (typeof run !== 'function') {
        throw new TheError(order.main + " exports neither a function '" + order.exportName + "' nor a default one");
      }
      return run(order.input, freeze({...bindings, vars: freeze(order.vars)}));
    }]).then(succeed, fail);
  };

  // Does the next thing that comes: a reply, or a timer. Returns whether the guest is done.
  const turn = () => {
    if (done) return true;
    const wait = soonest();
    if (wait === undefined && apply(mapSize, pending, []) === 0) {
      fail(new TheError('the result never comes: nothing is left that the code could wait for'));
      return true;
    }
    if (wait === 0) {
      runTimer();
      return false;
    }
    const line = next(wait === undefined ? -1 : wait);
    if (line !== null) settle(line);
    return false;
  };

  return freeze({start, turn});
})()
