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
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.text.JsonNodes;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks by hostile guest code, in QuickJS within bubblewrap. After each, another guest runs. */
@Tag("full")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuestAttackTest {
    private static final String CANARY = "canary-4711-secret";
    private static final GuestOptions OPTIONS = GuestOptions.standard()
            .backend("bwrap", Map.of("warmSlots", "0"))
            .timeout(Duration.ofSeconds(2))
            .warm(0);

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
            Json result = guests.run(GuestCode.js(code)).result();
            throw new AssertionError("the code succeeded: " + result);
        } catch (GuestException expected) {
            return expected;
        }
    }

    private static void assertUsable(GuestSession guests) {
        assertThat(guests.run(GuestCode.js("export const run = () => 6 * 7;"))
                        .result()
                        .integer())
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
                GuestSession guests = GuestSession.open(container, OPTIONS)) {
            GuestException ended = failure(guests, "export async function run() { console.log('in'); " + body + " }");
            assertThat(ended.kind()).isEqualTo(Kind.TIMEOUT);
            assertThat(ended).hasMessageContaining("2000 ms");
            assertThat(ended.logs()).containsExactly("in");
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
    void floodOfLogsIsCutAndCounted() throws Exception {
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
                            }""")).result().integer()).isEqualTo(10_000);
        }
    }

    @Test
    void changedPrototypesChangeNoMessageOfBridge() throws Exception {
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
                            export async function run() { return await WORKSPACE.readText('a.txt'); }""")).result().text()).isEqualTo("content");
            assertThat(guests.run(GuestCode.js("""
                            RegExp.prototype.exec = () => null;
                            RegExp.prototype[Symbol.replace] = () => 'forged';
                            Object.defineProperty(RegExp.prototype, 'flags', { get: () => 'y' });
                            String.prototype.charCodeAt = () => 'forged';
                            Number.prototype.toString = () => 'forged';
                            export async function run() { return 'a\\u{1F600}'; }""")).result().text()).isEqualTo("a\uD83D\uDE00");
        }
        assertThat(records).noneMatch(record -> "exec".equals(record.fields().get("scope")));
    }

    @Test
    void engineHasNoFileNoProcessAndNoNetwork() throws Exception {
        try (AgentContainer container = container(ExecPolicy.none());
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofSeconds(30)))) {
            assertThat(guests.run(GuestCode.js("""
                            export async function run() {
                              const names = ['process', 'require', 'std', 'os', 'Deno', 'XMLHttpRequest', 'WebSocket', 'java',
                                             '__host', '__send', '__next', '__define', '__resolve', '__now', '__random'];
                              const found = names.filter((name) => typeof globalThis[name] !== 'undefined');
                              for (const name of ['std', 'os', 'fs', 'qjs:std', 'qjs:os', './a.js', 'paddock:guest']) {
                                try { await import(name); found.push(name); } catch {}
                              }
                              return found;
                            }""")).result().toString()).isEqualTo("[]");
        }
    }

    @Test
    void secretIsReachedBySecretsAlone() throws Exception {
        Files.writeString(directory.resolve(".env"), "OPEN=1\nAPI_KEY=" + CANARY + "\n");
        Files.createSymbolicLink(directory.resolve("link.txt"), Path.of(".env"));
        Files.createDirectory(directory.resolve("sub"));
        Files.writeString(directory.resolve("sub/.env.local"), "A_TOKEN=" + CANARY);
        Files.writeString(directory.resolve(".env.txt"), "B_TOKEN=" + CANARY + "\nC_KEY='first\n" + CANARY + "=\n'");
        Files.writeString(directory.resolve("text.ts"), "import t from './.env.txt'; export const run = () => t;");
        Files.writeString(directory.resolve("behind"), "D_SECRET=" + CANARY);
        Files.createSymbolicLink(directory.resolve(".env.link"), Path.of("behind"));
        try (AgentContainer container = container(ExecPolicy.anyProgram().withShell());
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofSeconds(60)))) {
            GuestResult result = guests.run(GuestCode.ts("""
                    const attempt = async (call: () => unknown) => {
                      try { return JSON.stringify(await call()); } catch (e: any) { return String(e.message) + e.stack; }
                    };
                    export async function run(_: null, { WORKSPACE, EXEC, ENV, SECRETS, OBSERVE }: any) {
                      const seen: string[] = [];
                      for (const path of ['.env', './.env', '/.env', 'sub/../.env', '.ENV', 'link.txt', 'sub/.env.local',
                                          '/proc/self/environ', '/workspace/.env', 'behind', './behind', '.env.link',
                                          '.env.txt', '.env/../behind', '.env\\u0000', 'sub/../behind']) {
                        seen.push(await attempt(() => WORKSPACE.readText(path)));
                        seen.push(await attempt(() => WORKSPACE.readBase64(path)));
                      }
                      seen.push(await attempt(() => WORKSPACE.grep('canary')));
                      seen.push(await attempt(() => ENV.get('API_KEY')));
                      seen.push(await attempt(() => ENV.keys()));
                      for (const script of ['env', 'cat .env link.txt sub/.env.local', 'grep -r canary . /proc/*/environ',
                                            'cp .env x; cat x', 'mv .env y; cat y', 'ln .env z; cat z; ln -s .env w; cat w',
                                            'dd if=.env', 'tar c . | tr -d x', 'cat behind .env.txt; rm -f .env.link; mv behind x',
                                            'cat behind x; ln -s behind v; mkdir m; mv sub m/n; cat m/n/.env.local; cat m/n/.*']) {
                        seen.push(await attempt(() => EXEC.shell(script)));
                        seen.push(await attempt(() => EXEC.shell(script, { includeSecrets: true })));
                      }
                      for (const path of ['w', 'x', 'v', 'z', 'm/n/.env.local', 'behind']) {
                        seen.push(await attempt(() => WORKSPACE.readText(path)));
                        seen.push(await attempt(() => EXEC.run('cat', [path])));
                      }
                      seen.push(await attempt(() => EXEC.run('env', [], { envKeys: ['API_KEY'], includeSecrets: true })));
                      await OBSERVE.emit({ scope: 'env', action: 'leak', outcome: 'success',
                                           detail: 'it is ' + await SECRETS.get('API_KEY') });
                      return { seen, secret: await SECRETS.get('API_KEY') };
                    }
                    """));
            assertThat(result.result().get("seen").toString())
                    .doesNotContain(CANARY)
                    .contains("OPEN");
            assertThat(result.result().text("secret")).contains(CANARY);
            assertThat(container.describe().toString()).doesNotContain(CANARY);
            assertThat(container.env().keys()).containsExactly("OPEN");
            assertThat(guests.run(GuestCode.file("text.ts")).result().text()).isEmpty();
            // Who has asked SECRETS may do with the value what the bindings permit; no record shows it.
            GuestException thrown = failure(
                    guests,
                    "export async function run() { const s = await SECRETS.get('API_KEY'); console.log(s);"
                            + " await EXEC.run('echo', [s]); await WORKSPACE.stat(s).catch(() => {}); throw new Error(s); }");
            assertThat(thrown).hasMessage(CANARY);
        }
        assertThat(records).isNotEmpty().noneMatch(record -> record.toJson().contains(CANARY));
        assertThat(directory.resolve(".env")).content().contains(CANARY);
    }

    /** Node's context is no wall, so that code can leave it as if it had broken QuickJS. */
    @Test
    void codeThatHasLeftItsEngineMeetsSandbox() throws Exception {
        Files.writeString(directory.resolve("file.txt"), CANARY);
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket possible = new Socket(listening.getInetAddress(), listening.getLocalPort());
                AgentContainer container = container(ExecPolicy.none());
                GuestSession guests = GuestSession.open(
                        container, OPTIONS.engine(GuestOptions.Engine.NODE).timeout(Duration.ofSeconds(60)))) {
            assertThat(possible.isConnected()).isTrue();
            assertThat(guests.run(GuestCode.ts("export const run = (): number => 1;"))
                            .result()
                            .integer())
                    .isEqualTo(1);
            Path modules = Path.of(System.getenv("XDG_CACHE_HOME"), "paddock/guest/transpiled");
            assertThat(modules).isNotEmptyDirectory();
            JsonNode seen = JsonNodes.node(guests.run(GuestCode.js("""
                            export async function run({ root, home, modules, port }) {
                              let process;
                              try { await import('x'); } catch (e) { process = e.constructor.constructor('return process')(); }
                              const { readFileSync, readdirSync, writeFileSync, rmSync, renameSync } = process.getBuiltinModule('fs');
                              const net = process.getBuiltinModule('net');
                              const { spawnSync } = process.getBuiltinModule('child_process');
                              const engine = process.argv[1];
                              const failures = {};
                              const fails = (name, action) => {
                                try { failures[name] = 'done: ' + action(); } catch (e) { failures[name] = e.code; }
                              };
                              fails('file', () => readFileSync(root + '/file.txt'));
                              fails('home', () => readdirSync(home + '/.ssh'));
                              fails('modules', () => readdirSync(modules));
                              fails('shadow', () => readFileSync('/etc/shadow'));
                              fails('host', () => readFileSync('/proc/%d/environ'));
                              fails('engine', () => writeFileSync(engine, 'x'));
                              fails('remove', () => rmSync(engine));
                              fails('rename', () => renameSync(engine, engine + '2'));
                              fails('system', () => writeFileSync('/usr/bin/node', 'x'));
                              fails('kill', () => process.kill(%d, 0));
                              failures.connect = await new Promise((done) => {
                                const socket = net.connect(port, '127.0.0.1');
                                socket.on('connect', () => done('done'));
                                socket.on('error', (e) => done(e.code));
                              });
                              const shell = spawnSync('sh', ['-c', 'mount -t tmpfs none /mnt || unshare -r true || echo no; id -u']);
                              return { failures, node: process.version, environment: Object.keys(process.env),
                                       shell: String(shell.stdout), processes: readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length };
                            }""".formatted(
                                            ProcessHandle.current().pid(),
                                            ProcessHandle.current().pid()))
                            .input(Json.object()
                                    .with("root", directory.toString())
                                    .with("home", System.getProperty("user.home"))
                                    .with("modules", modules.toString())
                                    .with("port", listening.getLocalPort())))
                    .result());
            assertThat(seen.path("node").asText()).as("it has left the engine").startsWith("v");
            seen.path("failures")
                    .properties()
                    .forEach(one -> assertThat(one.getValue().asText())
                            .as(one.toString())
                            .isIn(
                                    "ENOENT",
                                    "EACCES",
                                    "EROFS",
                                    "EPERM",
                                    "ESRCH",
                                    "EBUSY",
                                    "ENETUNREACH",
                                    "ECONNREFUSED"));
            assertThat(seen.path("failures").size()).isEqualTo(11);
            assertThat(seen.path("shell").asText()).contains("no\n");
            assertThat(seen.path("processes").asInt()).isLessThan(8);
            assertThat(seen.path("environment").toString()).doesNotContain("XDG_CACHE_HOME", "JAVA_HOME");
        }
        assertThat(directory.resolve("file.txt")).hasContent(CANARY);
    }

    @Test
    void guestThatIsKilledDuringCallEndsCall() throws Exception {
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
