package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.guest.GuestException.Kind;
import dev.paddock.harness.guest.session.GuestSession;
import dev.paddock.harness.tools.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests what guest code reaches and returns, and how its session ends. */
class GuestSessionTest extends GuestBench {
    @Test
    void limitsThatNobodySetAreThoseThatPagePromises() {
        GuestOptions standard = GuestOptions.standard();
        assertThat(standard.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(standard.startTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(standard.engineBytes()).isEqualTo(64L << 20);
        assertThat(standard.engine()).isEqualTo(GuestOptions.Engine.QUICKJS);
    }

    @Test
    void containerThatIsClosedFirstEndsItsGuestsBeforeItsShadow() throws Exception {
        file("a.txt", "text");
        AgentContainer container = AgentContainer.builder(root)
                .mode(AgentContainer.Mode.SHADOW)
                .audit(record -> {
                    if (auditFails && record.text("scope").equals(Optional.of("exec"))) {
                        throw new StackOverflowError("too deep");
                    }
                    records.add(record);
                })
                .build();
        GuestSession own = GuestSession.open(container, OPTIONS);
        CompletableFuture<GuestException> lost = CompletableFuture.supplyAsync(() -> {
            try {
                throw new AssertionError(
                        own.run(GuestCode.js("export async function run() { await WORKSPACE.readText('a.txt');"
                                + " await new Promise((done) => setTimeout(done, 1000000)); }")));
            } catch (GuestException expected) {
                return expected;
            }
        });
        Awaitility.await("the guest runs")
                .atMost(Duration.ofSeconds(60))
                .until(() -> records.stream()
                        .anyMatch(record -> "read".equals(record.fields().get("action"))));
        container.close();
        assertThat(lost.get(30, TimeUnit.SECONDS).kind()).isEqualTo(Kind.LOST);
        assertThatThrownBy(() -> own.run(GuestCode.js("export const run = () => 1;")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> GuestSession.open(container, OPTIONS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void runThatFailsIsEventWithItsMessage() {
        failure(GuestCode.js("export const run = () => { throw new Error('mine'); };"));
        assertThat(records)
                .anyMatch(record -> "guest.run".equals(record.fields().get("action"))
                        && "error".equals(record.fields().get("outcome"))
                        && "mine".equals(record.fields().get("detail")));
    }

    @Test
    void everyBindingIsReachedAndItsErrorsAreGuestsToCatch() throws Exception {
        file("a.txt", "one\ntwo\n");
        file(".env", "NAME=open\nAPI_KEY=hidden-4711\n");
        GuestResult result = guests().run(GuestCode.ts("""
                const failure = async (call: () => Promise<unknown>) => {
                  try { await call(); return 'none'; } catch (e: any) { return e.name + ': ' + e.message; }
                };
                export async function run(_: null, { WORKSPACE, EXEC, ENV, SECRETS, OBSERVE }: any) {
                  await WORKSPACE.writeText('out/b.txt', 'three');
                  await WORKSPACE.writeBase64('c.bin', 'AAEC');
                  await OBSERVE.emit({ scope: 'workspace', action: 'mine', outcome: 'success', target: 'origin' });
                  return {
                    list: (await WORKSPACE.list('.')).map((e: any) => e.path + ' ' + e.kind),
                    stat: await WORKSPACE.stat('a.txt'),
                    glob: await WORKSPACE.glob('*.txt'),
                    grep: await WORKSPACE.grep('TWO', { caseSensitive: false, maxResults: 1 }),
                    binary: await WORKSPACE.readBase64('c.bin'),
                    removed: await WORKSPACE.remove('out', { recursive: true }),
                    exec: (await EXEC.run('cat', ['a.txt'])).stdout,
                    env: await ENV.get('NAME'), none: await ENV.get('API_KEY'),
                    secret: await SECRETS.get('API_KEY'), keys: await SECRETS.keys(),
                    denied: await failure(() => EXEC.run('ls')),
                    missing: await failure(() => WORKSPACE.readText('gone')),
                    invalid: await failure(() => WORKSPACE.readText(5)),
                    nul: await failure(() => WORKSPACE.readText('a\\0b')),
                    unknown: await failure(() => WORKSPACE.grep('x', { colour: 1 })),
                    fetch: (await fetch('https://example.org/')).status,
                  };
                }
                """));
        Json found = result.result();
        assertThat(found.get("list").orElseThrow().toString()).contains("a.txt file", "out directory", ".env file");
        assertThat(found.get("stat")).contains(json("{\"path\":\"a.txt\",\"kind\":\"file\",\"size\":8}"));
        assertThat(found.get("grep"))
                .contains(json("[{\"path\":\"a.txt\",\"line\":2,\"column\":1,\"content\":\"two\"}]"));
        assertThat(found.get("glob")).contains(json("[\"a.txt\",\"out/b.txt\"]"));
        assertThat(found.text("binary").orElseThrow()).isEqualTo("AAEC");
        assertThat(found.get("removed")).contains(Json.of(null));
        assertThat(found.text("exec").orElseThrow()).isEqualTo("one\ntwo\n");
        assertThat(found.text("env").orElseThrow()).isEqualTo("open");
        assertThat(found.get("none")).contains(Json.of(null));
        assertThat(found.text("secret").orElseThrow()).isEqualTo("hidden-4711");
        assertThat(found.get("keys")).contains(json("[\"API_KEY\"]"));
        assertThat(found.text("denied").orElseThrow())
                .startsWith("BindingError:")
                .contains("'ls'");
        assertThat(found.text("missing").orElseThrow()).startsWith("FileError:").contains("gone");
        assertThat(found.text("invalid").orElseThrow()).contains("'path' is no text");
        assertThat(found.text("nul").orElseThrow()).contains("NUL");
        assertThat(found.text("unknown").orElseThrow()).contains("'colour'");
        assertThat(found.integer("fetch")).hasValue(403);
        assertThat(root.resolve("out")).doesNotExist();
        assertThat(records)
                .anyMatch(record -> "guest".equals(record.fields().get("origin"))
                        && "mine".equals(record.fields().get("action")));
    }

    @Test
    void resultThatIsNoJsonAndMissingFunctionAreNamed() {
        assertThat(failure(GuestCode.js("export const run = () => 1n;"))).hasMessageContaining("no JSON");
        assertThat(failure(GuestCode.js("const a = {}; a.a = a; export const run = () => a;")))
                .hasMessageContaining("no JSON");
        assertThat(failure(GuestCode.js("export const other = 1;"))).hasMessageContaining("'run'");
        assertThat(failure(GuestCode.js("export const run = () => { throw 'plain'; };")))
                .hasMessage("plain");
        assertThat(failure(GuestCode.js("export const run = () => new Promise(() => {});")))
                .hasMessageContaining("never comes");
    }

    @Test
    void noResultIsNullAndAnotherFunctionHasItsInput() {
        assertThat(guests().run(GuestCode.js("export const run = () => {};")).result())
                .isEqualTo(Json.of(null));
        assertThat(guests().run(GuestCode.js("export const go = (n) => n * 2;")
                                .export("go")
                                .input(Json.of(4)))
                        .result()
                        .integer())
                .isEqualTo(8);
    }

    @Test
    void closedSessionRunsNothing() {
        guests().close();
        assertThatThrownBy(() -> guests().run(GuestCode.js("export const run = () => 1;")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        guests().close();
    }

    @Test
    void errorOfHostIsAnswered() throws Exception {
        GuestCode code = GuestCode.js(
                "export const run = async () => { try { await EXEC.run('cat', []); } catch (e) { return e.message; } };");
        guests().run(code);
        auditFails = true;
        assertThat(guests().run(code).result().text()).isEqualTo("too deep");
        auditFails = false;
    }
}
