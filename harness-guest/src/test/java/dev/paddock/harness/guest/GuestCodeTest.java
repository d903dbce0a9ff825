package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.guest.GuestException.Kind;
import dev.paddock.harness.tools.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the languages, modules and names of guest code, and the lines of its errors. */
class GuestCodeTest extends GuestBench {
    @Test
    void programOfSeveralFilesWithTypesJsxAndJsonGivesItsResultAndItsLogs() throws Exception {
        file("data.json", "{\"k\": 5, \"__proto__\": 1}");
        file("note.txt", "line\n\u2028`${x}`");
        file("lib/count.ts", """
                import data from '../data.json';
                import note from '../note.txt';
                import type { Nothing } from './missing';
                export const k: number = data.k;
                export const length = (note as string).length;
                export enum Color { Red = 3 }
                """);
        file("lib/h.js", "export const h = (tag, props, ...children) => ({ tag, props, children });\n");
        file("src/main.tsx", """
                import { k, length, Color } from '../lib/count.js';
                import { h } from '../lib/h';
                const late = await new Promise<number>((done) => setTimeout(() => done(2), 5));
                interface Input { n: number }
                export async function run(input: Input, { WORKSPACE, vars }: any) {
                  console.log('n is', input.n, { a: [1] });
                  console.error('again');
                  console.warn('a', 'warning');
                  console.info(1.5, true, null, undefined, [{}]);
                  return { sum: k + input.n + late, length, color: Color.Red, view: <b id="x">hi</b>,
                           text: await WORKSPACE.readText('note.txt'), who: vars.who };
                }
                """);
        GuestResult result = guests().run(
                        GuestCode.file("src/main.tsx").input(json("{\"n\": 1}")).vars(Map.of("who", "me")));
        assertThat(result.result()).isEqualTo(json("""
                {"sum": 8, "length": 12, "color": 3, "text": "line\\n\\u2028`${x}`", "who": "me",
                 "view": {"tag": "b", "props": {"id": "x"}, "children": ["hi"]}}"""));
        assertThat(result.logs())
                .containsExactly("n is 1 {\"a\":[1]}", "again", "a warning", "1.5 true null undefined [{}]");
        assertThat(result.took()).isPositive();
        assertThat(records)
                .anyMatch(record -> "guest.run".equals(record.fields().get("action"))
                        && "success".equals(record.fields().get("outcome")));
    }

    @Test
    void errorHasItsNameItsMessageLinesOfUsersFilesAndLogs() throws Exception {
        file(
                "lib/boom.ts",
                "type A = string;\n\nexport function boom(what: A): never {\n  throw new TypeError('bad ' + what);\n}\n");
        file(
                "main.ts",
                "import { boom } from './lib/boom.ts';\nexport default () => {\n  console.log('before');\n  boom('thing');\n};\n");
        GuestException fault = failure(GuestCode.file("main.ts"));
        assertThat(fault.kind()).isEqualTo(Kind.THROWN);
        assertThat(fault.name()).isEqualTo("TypeError");
        assertThat(fault).hasMessage("bad thing");
        assertThat(fault.guestStack()).contains("lib/boom.ts:4:", "main.ts:4:").doesNotContain("paddock");
        assertThat(fault.logs()).containsExactly("before");
    }

    @Test
    void errorOfBindingHasLineOfCall() throws Exception {
        file("main.ts", """
                type A = string;

                const open = (name: A) =>
                  WORKSPACE.readText(name);
                export default async () => {
                  await open('gone.txt');
                };
                """);
        GuestException fault = failure(GuestCode.file("main.ts"));
        assertThat(fault).hasMessageContaining("gone.txt");
        assertThat(fault.guestStack()).contains("main.ts:4:", "main.ts:6:").doesNotContain("paddock");
    }

    @Test
    void namesThatCodeForBrowsersAndServersExpectAreThere() throws Exception {
        GuestResult result = guests().run(GuestCode.js("""
                const name = (action) => { try { return action(); } catch (error) { return error.name; } };
                export default async () => {
                  const bytes = new TextEncoder().encode('a\\u00e9\\u20ac\\ud83d\\ude00\\ud800');
                  const cyclic = {date: new Date(0), map: new Map([[1, new Set([2])]]), array: [1, , 3]};
                  cyclic.self = cyclic;
                  const clone = structuredClone(cyclic);
                  const order = [];
                  await new Promise((done) => {
                    queueMicrotask(() => order.push('micro'));
                    let ticks = 0;
                    const interval = setInterval(() => {
                      order.push('tick');
                      if (++ticks === 2) { clearInterval(interval); done(); }
                    }, 1);
                    order.push('first');
                  });
                  const controller = new AbortController();
                  controller.signal.addEventListener('abort', (event) => order.push(event.type));
                  controller.abort();
                  controller.abort();
                  const headers = new Headers({'X-One': ' 1 ', b: 2});
                  headers.append('x-one', '3');
                  const began = performance.now();
                  return {
                    bytes: [...bytes],
                    text: new TextDecoder().decode(bytes),
                    wrong: new TextDecoder().decode(new Uint8Array([0x61, 0xC0, 0x80, 0xE2, 0x82, 0x62])),
                    fatal: name(() => new TextDecoder('utf-8', {fatal: true}).decode(new Uint8Array([255]))),
                    base64: [btoa('\\xff\\xfeab'), atob(' /v9h Yg== '), name(() => atob('a')), name(() => btoa('\\u0100'))],
                    uuid: crypto.randomUUID(),
                    random: crypto.getRandomValues(new Uint8Array(32)).some((byte) => byte !== 0),
                    clone: clone !== cyclic && clone.self === clone && clone.date.getTime() === 0
                        && clone.map.get(1).has(2) && !(1 in clone.array),
                    noClone: name(() => structuredClone(() => 1)),
                    order,
                    aborted: [controller.signal.aborted, controller.signal.reason.name,
                        name(() => controller.signal.throwIfAborted())],
                    headers: [...headers],
                    request: new Request('https://example.org/', {method: 'get'}).method,
                    response: await new Response('{"a": 1}', {status: 404}).json(),
                    clock: performance.now() >= began,
                    ignored: await fetch('https://example.org/', {method: 'GET', cache: 'x'}).catch((error) => error.message),
                  };
                };
                """));
        Json found = result.result();
        String uuid = found.text("uuid").orElseThrow();
        assertThat(uuid).matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        assertThat(found.with("uuid", null)).isEqualTo(json("""
                {"uuid": null, "bytes": [97, 195, 169, 226, 130, 172, 240, 159, 152, 128, 239, 191, 189],
                 "text": "a\\u00e9\\u20ac\\ud83d\\ude00\\ufffd", "wrong": "a\\ufffd\\ufffd\\ufffdb", "fatal": "TypeError",
                 "base64": ["//5hYg==", "\\u00fe\\u00ffab", "InvalidCharacterError", "InvalidCharacterError"],
                 "random": true, "clone": true, "noClone": "DataCloneError",
                 "order": ["first", "micro", "tick", "tick", "abort"], "aborted": [true, "AbortError", "AbortError"],
                 "headers": [["b", "2"], ["x-one", "1, 3"]], "request": "GET", "response": {"a": 1}, "clock": true,
                 "ignored": "fetch: the option 'cache' is not possible"}"""));
    }

    @Test
    void everyKindOfModuleIsFoundByItsNameWithOrWithoutExtension() throws Exception {
        file("a/view.tsx", """
                const h = (tag: unknown, props: unknown, ...children: unknown[]) => [tag, props, children];
                const Fragment = 'fragment';
                export const view = <><i a={1}>x</i></>;
                """);
        file("a/plain.mjs", "export const plain = 'mjs';\nexport default 'default';\n");
        file("a/index.ts", """
                import { type Nothing } from './gone';
                import plain, * as all from './plain.mjs';
                export { view } from './view.js';
                export * from './plain';
                export const both = [plain, all.plain];
                """);
        file("main.js", "import * as a from './a/index';\nexport const run = () => [a.view, a.plain, a.both];\n");
        assertThat(guests().run(GuestCode.file("main.js")).result())
                .isEqualTo(json(
                        "[[\"fragment\", null, [[\"i\", {\"a\": 1}, [\"x\"]]]], \"mjs\", [\"default\", \"mjs\"]]"));
    }

    @Test
    void codeThatIsNoFileHasLanguageNameAndFunction() throws Exception {
        String code = """
                const h = (tag, props, ...children) => children;
                export default () => 'default';
                export const run = (n: number) => { if (n) throw new Error('here'); return <b>text</b>; };
                """;
        GuestCode tsx = GuestCode.of(new GuestCode.Text(code, GuestCode.Language.TSX, "mine.tsx"));
        assertThat(guests().run(tsx.input(json("0"))).result()).isEqualTo(json("[\"text\"]"));
        assertThat(failure(tsx.input(json("1"))).guestStack()).contains("mine.tsx:3:");
        assertThat(guests().run(GuestCode.js("export default () => 'default'; export const other = () => 1;"))
                        .result()
                        .text())
                .isEqualTo("default");
        assertThat(failure(GuestCode.js("export const run = (n: number) => n;")).kind())
                .isEqualTo(Kind.THROWN);
    }

    @Test
    void importsAreRelativeAndStaticAndRefusedByName() throws Exception {
        file("bare.ts", "const a = 1;\nimport fs from 'node:fs';\nexport const run = () => fs;");
        file("dynamic.js", "export const run = async () => (await import('./bare.ts')).run();");
        file("outside.ts", "import x from '../../x.ts'; export const run = () => x;");
        file("missing.ts", "import x from './gone'; export const run = () => x;");
        file("wasm.ts", "import x from './a.wasm'; export const run = () => x;");
        file("space.ts", "namespace N { export const a = 1 }\nexport const run = () => N.a;");
        file("syntax.ts", "export const run = () => {{;");
        file("text.ts", "import x from './a.md'; export const run = () => x;");
        file("a.md", "text");
        file("types.ts", "import type { X } from 'anything'; export const run = (x?: X) => 'ran';");
        assertThat(failure(GuestCode.file("bare.ts")))
                .hasMessageContaining("bare.ts:2")
                .hasMessageContaining("'node:fs'");
        assertThat(failure(GuestCode.file("dynamic.js")))
                .hasMessageContaining("'./bare.ts'")
                .hasMessageContaining("dynamic");
        assertThat(failure(GuestCode.file("outside.ts"))).hasMessageContaining("out of the workspace");
        assertThat(failure(GuestCode.file("missing.ts"))).hasMessageContaining("'./gone'");
        assertThat(failure(GuestCode.file("wasm.ts"))).hasMessageContaining("WebAssembly");
        assertThat(failure(GuestCode.file("space.ts")))
                .hasMessageContaining("namespaces")
                .hasMessageContaining("line 1");
        assertThat(failure(GuestCode.file("syntax.ts")).kind()).isEqualTo(Kind.MODULE);
        assertThat(failure(GuestCode.file("text.ts"))).hasMessageContaining("./a.md");
        assertThat(failure(GuestCode.file("a.md"))).hasMessageContaining("a.md");
        assertThat(failure(GuestCode.file("none.ts"))).hasMessageContaining("none.ts");
        assertThat(failure(GuestCode.file("../x.ts"))).hasMessageContaining("out of the workspace");
        assertThat(failure(GuestCode.js("import fs from 'fs'; export const run = () => 1;")))
                .hasMessageContaining("fs");
        assertThat(failure(GuestCode.ts("import a from './a'; export const run = () => a;")))
                .hasMessageContaining("./a");
        assertThat(guests().run(GuestCode.file("types.ts")).result().text()).isEqualTo("ran");
    }

    /** A command makes any number of files, and one that imports them all. */
    @Test
    void moreModulesThanLimitAreRefusedThoughOneFileImportsThem() throws Exception {
        StringBuilder imports = new StringBuilder();
        for (int number = 0; number < 2_000; number++) {
            file("many/m" + number + ".txt", "");
            imports.append("import m" + number + " from './many/m" + number + ".txt';\n");
        }
        file("many.js", imports + "export const run = () => m0;");

        assertThat(failure(GuestCode.file("many.js"))).hasMessageContaining("more than 2000 modules");
    }
}
