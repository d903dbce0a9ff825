// What guest code of Paddock finds besides the language. Check with: tsc --noEmit --lib es2023 --typeRoots none

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A failed call rejects with an Error whose name says what it is: FileError, BindingError, ToolError and so on. */
interface GuestBindings {
  WORKSPACE: GuestWorkspace;
  EXEC: GuestExec;
  ENV: GuestVariables;
  SECRETS: GuestVariables;
  OBSERVE: GuestObserve;
  /** The variables of this run. */
  vars: Readonly<Record<string, string>>;
}

interface GuestEntry {
  path: string;
  kind: 'file' | 'directory' | 'symlink' | 'other';
  /** In bytes. */
  size: number;
}

interface GuestMatch {
  path: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** The line, at most 500 characters of it. */
  content: string;
}

interface GuestWorkspace {
  read(path: string): Promise<string>;
  readText(path: string): Promise<string>;
  readBase64(path: string): Promise<string>;
  write(path: string, content: string): Promise<null>;
  writeText(path: string, content: string): Promise<null>;
  writeBase64(path: string, base64: string): Promise<null>;
  list(path?: string): Promise<GuestEntry[]>;
  stat(path: string): Promise<GuestEntry>;
  glob(pattern: string | string[]): Promise<string[]>;
  grep(query: string, options?: {
    include?: string | string[];
    /** True by default. */
    caseSensitive?: boolean;
    maxResults?: number;
    path?: string;
  }): Promise<GuestMatch[]>;
  remove(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<null>;
}

interface GuestExecOptions {
  cwd?: string;
  stdin?: string;
  /** 0 is no time limit of its own. */
  timeoutMs?: number;
  env?: Record<string, string>;
  /** The public variables that it receives: all by default. */
  envKeys?: string[];
  includeSecrets?: boolean;
}

interface GuestExecResult {
  /** 128 + n for a command that signal n ended. */
  exitCode: number;
  /** At most 1 MiB. */
  stdout: string;
  /** At most 1 MiB. */
  stderr: string;
  timedOut: boolean;
  durationMs: number;
}

interface GuestExec {
  run(command: string, args?: string[], options?: GuestExecOptions): Promise<GuestExecResult>;
  run(request: GuestExecOptions & { command: string; args?: string[] }): Promise<GuestExecResult>;
  shell(script: string, options?: GuestExecOptions): Promise<GuestExecResult>;
  shell(request: GuestExecOptions & { script: string }): Promise<GuestExecResult>;
}

interface GuestVariables {
  get(name: string): Promise<string | null>;
  keys(): Promise<string[]>;
}

interface GuestObserve {
  emit(event: {
    scope: 'container' | 'workspace' | 'exec' | 'env' | 'net';
    action: string;
    outcome: 'success' | 'error' | 'denied';
    target?: string;
    detail?: string;
  }): Promise<null>;
}

declare var WORKSPACE: GuestWorkspace;
declare var EXEC: GuestExec;
declare var ENV: GuestVariables;
declare var SECRETS: GuestVariables;
declare var OBSERVE: GuestObserve;

declare var console: Record<'log' | 'error' | 'warn' | 'info' | 'debug', (...values: unknown[]) => void>;

declare function setTimeout<A extends unknown[]>(action: (...args: A) => void, delay?: number, ...args: A): number;
declare function clearTimeout(id: number | undefined): void;
declare function setInterval<A extends unknown[]>(action: (...args: A) => void, delay?: number, ...args: A): number;
declare function clearInterval(id: number | undefined): void;
declare function queueMicrotask(action: () => void): void;
declare function structuredClone<T>(value: T): T;
declare function atob(text: string): string;
declare function btoa(text: string): string;

declare var performance: { now(): number; readonly timeOrigin: number };
declare var crypto: { getRandomValues<T extends ArrayBufferView>(array: T): T; randomUUID(): string };

declare class TextEncoder {
  readonly encoding: 'utf-8';
  encode(input?: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: 'utf-8';
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: ArrayBuffer | ArrayBufferView): string;
}

interface AbortEvent { type: 'abort'; target: AbortSignal }
declare class AbortSignal {
  readonly aborted: boolean;
  readonly reason: any;
  onabort: ((event: AbortEvent) => void) | null;
  addEventListener(type: 'abort', listener: (event: AbortEvent) => void): void;
  removeEventListener(type: 'abort', listener: (event: AbortEvent) => void): void;
  throwIfAborted(): void;
  static abort(reason?: unknown): AbortSignal;
  static timeout(delay: number): AbortSignal;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(init?: string | Iterable<readonly [string, string]> | Record<string, string>);
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(action: (value: string, name: string, params: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}
declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}

type HeadersInit = Iterable<readonly [string, string]> | Record<string, string>;
declare class Headers implements Iterable<[string, string]> {
  constructor(init?: HeadersInit);
  append(name: string, value: string): void;
  set(name: string, value: string): void;
  get(name: string): string | null;
  has(name: string): boolean;
  delete(name: string): void;
  forEach(action: (value: string, name: string, headers: Headers) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
interface RequestInit { method?: string; headers?: HeadersInit; body?: string | URLSearchParams | null }
declare class Request {
  constructor(input: string | URL | Request, options?: RequestInit);
  url: string;
  method: string;
  headers: Headers;
  body: string | null;
}
declare class Response {
  constructor(body?: string | ArrayBuffer | ArrayBufferView | null, options?: {
    status?: number; statusText?: string; headers?: HeadersInit; url?: string;
  });
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly url: string;
  readonly headers: Headers;
  text(): Promise<string>;
  json(): Promise<any>;
  arrayBuffer(): Promise<ArrayBuffer>;
}
declare function fetch(input: string | URL | Request, options?: RequestInit & { signal?: AbortSignal }): Promise<Response>;
