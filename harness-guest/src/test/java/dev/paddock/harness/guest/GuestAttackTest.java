package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortedException;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.ExecPolicy;
import dev.paddock.harness.guest.GuestException.Kind;
import dev.paddock.harness.guest.session.GuestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks by hostile guest code, in QuickJS within bubblewrap. After each, another guest runs. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuestAttackTest {
    private static final String CANARY = "canary-4711-secret";
    private static final GuestOptions OPTIONS =
            GuestOptions.standard().backend("bwrap", Map.of("warmSlots", "0")).timeout(Duration.ofSeconds(5));

    @TempDir
    Path directory;

    private final Queue<AuditRecord> records = new ConcurrentLinkedQueue<>();

    private AgentContainer container(ExecPolicy policy) {
        return AgentContainer.builder(directory)
                .backend("bwrap")
                .exec(policy)
                .audit(records::add)
                .build();
    }

    private static GuestException failure(GuestSession guests, String code) {
        try {
            JsonNode result = guests.run(GuestCode.js(code)).result();
            throw new AssertionError("the code succeeded: " + result);
        } catch (GuestException expected) {
            return expected;
        }
    }

    private static void assertUsable(GuestSession guests) {
        assertThat(guests.run(GuestCode.js("export const run = () => 6 * 7;"))
                        .result()
                        .asInt())
                .isEqualTo(42);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for (;;) {}",
                "for (;;) { try { for (;;) {} } catch {} finally { continue; } }",
                "const again = () => Promise.resolve().then(again); again(); await new Promise(() => {});",
                "/^(a+)+$/.test('a'.repeat(40) + 'b')",
                "Array.from({ length: 50 }, (_, i) => i).sort(() => { for (;;) {} })",
            })
    void codeThatNeverEndsIsEnded(String body) throws Exception {
        try (AgentContainer container = container(ExecPolicy.none());
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofMillis(1_500)))) {
            GuestException ended = failure(guests, "export async function run() { console.log('in'); " + body + " }");
            assertThat(ended.kind()).isEqualTo(Kind.TIMEOUT);
            assertThat(ended).hasMessageContaining("1500 ms");
            assertThat(ended.logs()).containsExactly("in");
        }
        try (AgentContainer container = container(ExecPolicy.none());
                GuestSession guests = GuestSession.open(container, OPTIONS)) {
            assertUsable(guests);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const all = []; for (;;) all.push(new ArrayBuffer(1 << 20));",
                "let text = 'x'; for (;;) text += text;",
                "const all = []; for (;;) all.push({ a: [1, 2, 3] });",
                "const f = () => f(); f();",
                "return JSON.parse('['.repeat(100000));",
            })
    void memoryAndDepthAreBounded(String body) throws Exception {
        try (AgentContainer container = container(ExecPolicy.none());
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofSeconds(30)))) {
            assertThat(failure(guests, "export function run() { " + body + " }").kind())
                    .isIn(Kind.THROWN, Kind.LOST);
            assertUsable(guests);
        }
    }

    @Test
    void aFloodOfLogsIsCutAndCounted() throws Exception {
        try (AgentContainer container = container(ExecPolicy.none());
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofSeconds(60)))) {
            GuestResult result = guests.run(
                    GuestCode.js(
                            "export function run() { for (let i = 0; i < 3000; i++) console.log('y'.repeat(1000)); return 1; }"));
            assertThat(result.logs().stream().mapToInt(String::length).sum()).isLessThan((1 << 20) + 200);
            assertThat(result.logs().getLast()).contains("more characters of logs left out");
        }
    }

    @Test
    void tenThousandCallsAtOnceAreAllAnswered() throws Exception {
        try (AgentContainer container = container(ExecPolicy.none());
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofSeconds(90)))) {
            assertThat(guests.run(GuestCode.js("""
                            export async function run() {
                              const all = await Promise.all(Array.from({ length: 10000 }, () => ENV.keys()));
                              return all.length;
                            }""")).result().asInt()).isEqualTo(10_000);
        }
    }

    @Test
    void changedPrototypesChangeNoMessageOfTheBridge() throws Exception {
        Files.writeString(directory.resolve("a.txt"), "content");
        try (AgentContainer container = container(ExecPolicy.none());
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofSeconds(30)))) {
            assertThat(guests.run(GuestCode.js("""
                            Object.prototype.method = 'exec.run';
                            Object.prototype.error = { name: 'x', message: 'forged' };
                            Array.prototype.join = () => 'forged';
                            String.prototype.replace = () => 'forged';
                            Map.prototype.get = () => undefined;
                            Promise.prototype.then = new Proxy(Promise.prototype.then, {});
                            JSON.stringify = () => '{"forged":1}';
                            export async function run() { return [1, 'two']; }""")).result().toString()).isEqualTo("[1,\"two\"]");
            assertThat(guests.run(GuestCode.js("""
                            Object.prototype.toJSON = function () { return { id: 7, method: 'exec.run' }; };
                            String.prototype.toJSON = () => 'forged';
                            export async function run() { return await WORKSPACE.readText('a.txt'); }""")).result().asText()).isEqualTo("content");
        }
        assertThat(records).noneMatch(record -> "exec".equals(record.fields().get("scope")));
    }

    @Test
    void theEngineHasNoFileNoProcessAndNoNetwork() throws Exception {
        try (AgentContainer container = container(ExecPolicy.none());
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofSeconds(30)))) {
            assertThat(guests.run(GuestCode.js("""
                            export async function run() {
                              const names = ['process', 'require', 'std', 'os', 'Deno', 'XMLHttpRequest', 'WebSocket', 'java',
                                             '__host', '__send', '__next', '__define', '__resolve', '__now'];
                              const found = names.filter((name) => typeof globalThis[name] !== 'undefined');
                              for (const name of ['std', 'os', 'fs', 'qjs:std', 'qjs:os', './a.js', 'paddock:guest']) {
                                try { await import(name); found.push(name); } catch {}
                              }
                              return found;
                            }""")).result().toString()).isEqualTo("[]");
        }
    }

    @Test
    void aSecretIsReachedBySecretsAlone() throws Exception {
        Files.writeString(directory.resolve(".env"), "OPEN=1\nAPI_KEY=" + CANARY + "\n");
        Files.createSymbolicLink(directory.resolve("link.txt"), Path.of(".env"));
        Files.createDirectory(directory.resolve("sub"));
        Files.writeString(directory.resolve("sub/.env.local"), "A_TOKEN=" + CANARY);
        try (AgentContainer container = container(ExecPolicy.anyProgram().withShell());
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofSeconds(60)))) {
            GuestResult result = guests.run(GuestCode.ts("""
                    const attempt = async (call: () => unknown) => {
                      try { return JSON.stringify(await call()); } catch (e: any) { return String(e.message) + e.stack; }
                    };
                    export async function run(_: null, { WORKSPACE, EXEC, ENV, SECRETS, OBSERVE }: any) {
                      const seen: string[] = [];
                      for (const path of ['.env', './.env', '/.env', 'sub/../.env', '.ENV', 'link.txt', 'sub/.env.local',
                                          '/proc/self/environ', '/workspace/.env']) {
                        seen.push(await attempt(() => WORKSPACE.readText(path)));
                        seen.push(await attempt(() => WORKSPACE.readBase64(path)));
                      }
                      seen.push(await attempt(() => WORKSPACE.grep('canary')));
                      seen.push(await attempt(() => ENV.get('API_KEY')));
                      seen.push(await attempt(() => ENV.keys()));
                      for (const script of ['env', 'cat .env link.txt sub/.env.local', 'grep -r canary . /proc/*/environ',
                                            'cp .env x; cat x', 'mv .env y; cat y', 'ln .env z; cat z; ln -s .env w; cat w',
                                            'dd if=.env', 'tar c . | tr -d x']) {
                        seen.push(await attempt(() => EXEC.shell(script)));
                        seen.push(await attempt(() => EXEC.shell(script, { includeSecrets: true })));
                      }
                      seen.push(await attempt(() => EXEC.run('env', [], { envKeys: ['API_KEY'], includeSecrets: true })));
                      await OBSERVE.emit({ scope: 'env', action: 'leak', outcome: 'success',
                                           detail: 'it is ' + await SECRETS.get('API_KEY') });
                      return { seen, secret: await SECRETS.get('API_KEY') };
                    }
                    """));
            assertThat(result.result().path("seen").toString())
                    .doesNotContain(CANARY)
                    .contains("OPEN");
            assertThat(result.result().path("secret").asText()).isEqualTo(CANARY);
            assertThat(container.describe().toJson().toString()).doesNotContain(CANARY);
        }
        assertThat(records).isNotEmpty().noneMatch(record -> record.toJson().contains(CANARY));
        assertThat(directory.resolve(".env")).content().contains(CANARY);
    }

    @Test
    void aGuestThatIsKilledDuringACallEndsTheCall() throws Exception {
        try (AgentContainer container = container(ExecPolicy.anyProgram());
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofSeconds(60)))) {
            AbortController abort = new AbortController();
            AtomicReference<Throwable> ended = new AtomicReference<>();
            Thread runner = new Thread(() -> {
                try {
                    guests.run(
                            GuestCode.js(
                                    "export const run = () => EXEC.run('sh', ['-c', 'echo $$ > pid; sleep 300; touch late'],"
                                            + " { timeoutMs: 0 });"),
                            abort.signal());
                } catch (AbortedException expected) {
                    ended.set(expected);
                }
            });
            runner.start();
            Awaitility.await("the guest's command runs")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> Files.exists(directory.resolve("pid")));
            abort.abort("enough");
            Awaitility.await("the run ends").until(() -> ended.get() != null);
            Awaitility.await("its command ends")
                    .until(() ->
                            records.stream().anyMatch(record -> record.event().equals(AuditRecord.COMMAND)));
            assertThat(directory.resolve("late")).doesNotExist();
            assertUsable(guests);
        }
    }
}
