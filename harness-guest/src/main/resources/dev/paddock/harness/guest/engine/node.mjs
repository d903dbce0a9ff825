// Runs one guest in Node.js. The context below is no wall: the sandbox around this process is.
import crypto from 'node:crypto';
import fs from 'node:fs';
import vm from 'node:vm';
import readline from 'node:readline';

const queue = [];
const modules = new Map();
const imports = new Map();
const send = (line) => {
  let rest = Buffer.from(line.replaceAll('\n', ' ') + '\n');
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(1, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};

const context = vm.createContext({});
context.__host = {
  send,
  next: () => queue.shift() ?? null,
  define: (name, code) => modules.set(name, code),
  resolve: (base, specifier, name) => imports.set(base + '\n' + specifier, name),
  now: () => Math.trunc(performance.now()),
  random: (count) => crypto.randomBytes(count).toString('hex'),
};
const bridge = vm.runInContext(fs.readFileSync(process.argv[2], 'utf8'), context, {filename: 'paddock:guest'});

const made = new Map();
const make = (name) => {
  if (!modules.has(name)) throw new Error("could not load module '" + name + "'");
  if (!made.has(name)) {
    made.set(name, new vm.SourceTextModule(modules.get(name), {
      context,
      identifier: name,
      importModuleDynamically: (specifier) => { throw new Error("could not load module '" + specifier + "'"); },
    }));
  }
  return made.get(name);
};
const load = async (name) => {
  const main = make(name);
  await main.link((specifier, base) => make(imports.get(base.identifier + '\n' + specifier) ?? specifier));
  await main.evaluate();
  return main.namespace;
};

let started = false;
const step = () => {
  if (!started) return;
  if (bridge.turn()) process.exit(0);
  if (queue.length > 0) setImmediate(step);
};
readline.createInterface({input: process.stdin, crlfDelay: Infinity})
  .on('line', (line) => {
    queue.push(line);
    if (!started) {
      started = true;
      bridge.start(load);
      setTimeout(() => setInterval(step, 2), 20); // timers of the guest's, and code that waits for nothing
    } else {
      setImmediate(step);
    }
  })
  .on('close', () => process.exit(0));
send('{"ready":true}');
