package dev.paddock.cli.release;

import static dev.paddock.cli.release.ReleasePages.Form.ARCHIVE;
import static dev.paddock.cli.release.ReleasePages.Form.IMAGE;
import static dev.paddock.cli.release.ReleasePages.Form.NPM;
import static dev.paddock.cli.release.ReleasePages.Form.PACKAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.cli.Cli;
import dev.paddock.cli.ModelServer;
import dev.paddock.cli.demo.DemoProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds a release once, and starts its forms where there is neither a JDK nor Maven: in
 * containers of a minimal Debian, and in the release's own image.
 */
@Tag("full")
class ReleaseTest {
    static final String DEBIAN = "paddock-test/debian";

    /** The JVM exits, instead of starting without it, if the class cache does not fit. */
    static final String CACHED = "JAVA_TOOL_OPTIONS=-XX:AOTMode=on ";

    /** In bytes, of a snapshot, which is packed faster; the same release has 1,500,000 fewer, so 55,000,000 at most. */
    private static final long PACKED = 56_500_000;

    private static final long UNPACKED = 150_000_000;

    @TempDir
    private static Path directory;

    private static Path archive;
    private static Path image;
    private static Path debianPackage;
    private static Path npmPackage;

    /** The archive's directory on this machine. */
    private static Path unpacked;

    @BeforeAll
    static void build() throws Exception {
        boolean canBuild = Runtime.version().feature() >= 25
                && run("docker", "image", "inspect", DEBIAN).exitCode() == 0
                && run(
                                        "sh",
                                        "-c",
                                        "command -v mvn && command -v dpkg-deb && command -v apt-get && command -v objcopy"
                                                + " && command -v libdeflate-gzip && command -v npx")
                                .exitCode()
                        == 0;
        assumeTrue(
                canBuild || System.getenv("CI") != null,
                "this test takes JDK 25, Maven, Debian's tools, npm, and a Docker engine with the images of build/test-images.sh");
        assertThat(canBuild).as("a release can be built and started here").isTrue();
        dist("first");
        archive = find("first", ".*-linux-x64\\.tar\\.gz|.*-linux-arm64\\.tar\\.gz");
        image = find("first", ".*-image\\.tar\\.gz");
        debianPackage = find("first", ".*\\.deb");
        npmPackage = find("first", ".*-npm\\.tgz");
        unpacked = Files.createDirectory(directory.resolve("a release"));
        assertThat(run("tar", "-C", unpacked.toString(), "--strip-components=1", "-xzf", archive.toString())
                        .exitCode())
                .isZero();
    }

    private static void dist(String out) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                "../build/dist", "--out", directory.resolve(out).toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Path log = directory.resolve(out + ".log");
        int exitCode = builder.redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        assertThat(exitCode).as("%s", Files.readString(log)).isZero();
    }

    private static Path find(String out, String name) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(out))) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    static Cli.Result run(String... words) throws Exception {
        try {
            return Cli.finish(new ProcessBuilder(words).start());
        } catch (IOException absent) {
            return new Cli.Result(127, "", absent.toString());
        }
    }

    /** Runs a script in a container without a network that sees the release in /release. */
    private static Cli.Result inDebian(Path release, String script) throws Exception {
        return run(
                "docker",
                "run",
                "--rm",
                "--network=none",
                "--volume=" + release + ":/release:ro",
                DEBIAN,
                "sh",
                "-ec",
                "! command -v java mvn\nmkdir /project; cd /project\n" + script);
    }

    @Test
    void archiveStartsWhereverItIsUnpacked() throws Exception {
        Cli.Result result = inDebian(archive, """
                mkdir '/opt/a b'; tar -C '/opt/a b' -xzf /release
                ln -s '/opt/a b'/paddock-*/bin/paddock /usr/local/bin/paddock
                paddock version
                %1$spaddock exec --executor host -- echo started 2>/tmp/err || cat /tmp/err
                %1$spaddock exec --image none -- true || echo "exit code $?"
                paddock doctor >/tmp/doctor || true; grep host /tmp/doctor
                ldd /opt/a*/paddock-*/runtime/lib/*.so /opt/a*/paddock-*/native/*.so | grep -v -e libjvm -e libjli -e libjava | grep 'not found' || echo resolved
                """.formatted(CACHED));
        assertThat(result.stdout())
                .containsPattern(
                        "paddock [0-9].*\n  commit +[0-9a-f]{40}(-modified)?\n  JVM .* in /opt/a b/paddock-.*/runtime\n")
                .containsPattern("platform +Linux ")
                .contains("\nstarted\n", "\nexit code 125\n", "\nresolved\n")
                .containsPattern("\nhost +usable ");
        assertThat(result.exitCode()).as("%s", result).isZero();
    }

    /** With the archive under its own name, and with a repository as the project of the readme's reader. */
    @Test
    void firstLinesOfPagesRun() throws Exception {
        for (String lines : List.of(
                "git init -q your-project\n" + String.join("", ReleasePages.blocks("README.md", archive)),
                ReleasePages.installation(ARCHIVE, archive).replace("doctor", "doctor || true"))) {
            Cli.Result result = inDebian(archive, """
                    export HOME=/tmp/home PATH="/tmp/home/.local/bin:$PATH"
                    mkdir $HOME
                    cp /release %s
                    %s
                    paddock exec --executor host -- echo started
                    """.formatted(archive.getFileName(), lines));
            assertThat(result.exitCode()).as("%s", result).isZero();
            assertThat(result.stdout()).endsWith("started\n");
        }
    }

    /** The sandbox is this machine's: a container has none. */
    @Test
    void guestsTakeClassesThatReleaseBrings() throws Exception {
        Path project = Files.createDirectory(directory.resolve("guest-project"));
        Path cache = directory.resolve("guest-cache");
        Files.writeString(project.resolve("run.js"), """
                export async function run() {
                  await WORKSPACE.writeText('started', '');
                  while ((await WORKSPACE.glob('go')).length === 0) await new Promise((done) => setTimeout(done, 50));
                  return 'ran';
                }
                """);
        ProcessBuilder builder = new ProcessBuilder(
                        unpacked.resolve("bin/paddock").toString(),
                        "guest",
                        "run",
                        "run.js",
                        "--executor",
                        "bwrap",
                        "--timeout",
                        "100")
                .directory(project.toFile());
        builder.environment().put("XDG_CACHE_HOME", cache.toString());
        Process guest = builder.start();
        Awaitility.await("the guest runs")
                .atMost(Duration.ofSeconds(60))
                .until(() -> Files.exists(project.resolve("started")) || !guest.isAlive());
        long mapped = guest.descendants()
                .filter(process -> maps(process).contains(unpacked + "/cache/paddock-guest.aot"))
                .count();
        Files.createFile(project.resolve("go"));
        Cli.Result result = Cli.finish(guest);
        assertThat(result.stdout()).as("%s", result).isEqualTo("\"ran\"\n");
        assertThat(mapped).as("processes with the release's classes").isPositive();
        try (Stream<Path> files = Files.walk(cache)) {
            assertThat(files).isNotEmpty().noneMatch(file -> file.toString().endsWith(".aot"));
        }
    }

    /** A release leaves out classes that nothing mentions: what the libraries for models and engines need is there. */
    @Test
    void modelsAndContainersHaveTheirClasses() throws Exception {
        String program = unpacked.resolve("bin/paddock").toString();
        Path project = Files.createDirectory(directory.resolve("whole-project"));
        DemoProject.writeTo(project);
        try (ModelServer server = ModelServer.of(DemoProject.model())) {
            Cli.Result agent = inProject(
                    project,
                    server.environment(),
                    program,
                    "agent",
                    "--provider",
                    "anthropic",
                    "--model",
                    "m",
                    "-p",
                    "Fix it.");
            assertThat(agent.exitCode()).as("%s", agent).isZero();
        }
        assertThat(project.resolve("leap.sh")).content().contains("400");
        Cli.Result container =
                inProject(project, Map.of(), program, "exec", "--image", DEBIAN, "-n", "--", "sh", "test.sh");
        assertThat(container.exitCode()).as("%s", container).isZero();
    }

    /** As far as the answer of an API server: the client reads the user's configuration, and writes a pod. */
    @Test
    void podsHaveTheirClasses() throws Exception {
        String program = unpacked.resolve("bin/paddock").toString();
        Path project = Files.createDirectory(directory.resolve("pods-project"));
        try (RefusingApiServer server = RefusingApiServer.start()) {
            Path config = Files.writeString(directory.resolve("pods-config"), server.configuration());
            Cli.Result result = inProject(
                    project,
                    Map.of("KUBECONFIG", config.toString()),
                    program,
                    "exec",
                    "--executor",
                    "kubernetes",
                    "--image",
                    "a",
                    "--",
                    "true");
            assertThat(result.stderr()).contains("does not let this account create pods");
            assertThat(server.requests())
                    .anyMatch(request -> request.startsWith("POST ") && request.contains("\"kind\":\"Pod\""));
        }
    }

    private static Cli.Result inProject(Path project, Map<String, String> environment, String... words)
            throws Exception {
        ProcessBuilder builder = new ProcessBuilder(words).directory(project.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        return Cli.finish(builder.start());
    }

    private static String maps(ProcessHandle process) {
        try {
            return Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "maps"), StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }

    @Test
    void unsuitableCacheIsIgnoredSilently() throws Exception {
        Cli.Result result = inDebian(archive, """
                tar -xmzf /release
                paddock-*/bin/paddock exec --executor host -- echo started
                """);
        assertThat(result).isEqualTo(new Cli.Result(0, "started\n", ""));
    }

    /** The page's line installs it; its removal leaves the audit's records, which are the user's. */
    @Test
    void packageInstallsStartsAndLeavesNothing() throws Exception {
        Cli.Result result = inDebian(debianPackage, """
                export XDG_STATE_HOME=/tmp/state
                mkdir /tmp/download
                cd /tmp/download
                cp /release paddock_version_arch.deb
                sudo() { "$@"; }
                install() {
                %1$s
                }
                install >/tmp/apt.log 2>&1 || cat /tmp/apt.log
                dpkg --verify paddock
                %2$spaddock exec --executor host -- echo started 2>/tmp/err || cat /tmp/err
                bash -c '. /usr/share/bash-completion/completions/paddock; complete -p paddock'
                head -n 1 /usr/share/zsh/vendor-completions/_paddock /usr/share/fish/vendor_completions.d/paddock.fish
                zcat /usr/share/man/man1/paddock.1.gz | head -n 1
                dpkg -r paddock >/tmp/dpkg.log 2>&1
                find / -xdev -name '*paddock*' -not -path '/tmp/*' -not -path '/proc/*' -not -path '/var/lib/dpkg/*'
                """.formatted(ReleasePages.installation(PACKAGE, archive), CACHED));
        assertThat(result.stdout())
                .startsWith("started\ncomplete -F _paddock paddock\n")
                .contains("#compdef paddock", "# Completes the words of paddock in fish.", ".TH PADDOCK 1");
        assertThat(result.stdout().lines().toList().getLast()).startsWith(".TH PADDOCK 1");
        assertThat(result.exitCode()).as("%s", result).isZero();
    }

    /** With the programs of this machine but those of a JDK and Maven. */
    @Test
    void npxUnpacksOnceAndStarts() throws Exception {
        Path home = Files.createDirectory(directory.resolve("npx-home"));
        Path project = Files.createDirectory(directory.resolve("npx-project"));
        Files.createLink(project.resolve(npmPackage.getFileName()), npmPackage);
        String line = ReleasePages.installation(NPM, archive).strip();
        String make = "paddock exec -- make test";
        assertThat(line).endsWith(make);
        ProcessBuilder builder = new ProcessBuilder(
                        "sh",
                        "-ec",
                        """
                        export HOME="$1" XDG_CACHE_HOME="$1/cache" npm_config_cache="$1/npm" npm_config_offline=true
                        export npm_config_update_notifier=false npm_config_audit=false npm_config_fund=false
                        mkdir "$1/bin"
                        ln -s /usr/bin/* "$1/bin"
                        ln -sf "$(command -v node)" "$(command -v npx)" "$1/bin"
                        rm -f "$1"/bin/java* "$1"/bin/mvn*
                        export PATH="$1/bin"
                        unset JAVA_HOME
                        for absent in java mvn; do ! command -v $absent || exit 9; done
                        for time in first second; do
                            %s%s || echo "exit code $?"
                        done
                        """.formatted(
                                CACHED,
                                line.replace(make, "paddock exec --executor host -- sh -c 'echo started; exit 7'")),
                        "npx",
                        home.toString())
                .directory(project.toFile());
        Cli.Result result = Cli.finish(builder.start());
        assertThat(result.stdout()).as("%s", result).isEqualTo("started\nexit code 7\nstarted\nexit code 7\n");
        assertThat(result.stderr()).containsOnlyOnce("paddock: unpacking the program to " + home);
    }

    @Test
    void sumsAreThoseOfFiles() throws Exception {
        Path files = directory.resolve("first");
        Cli.Result result =
                run("sh", "-ec", "cd \"$0\"; sha256sum --check --strict --quiet SHA256SUMS", files.toString());
        assertThat(result.exitCode()).as("%s", result).isZero();
        List<String> named = Files.readAllLines(files.resolve("SHA256SUMS")).stream()
                .map(line -> line.replaceFirst("^[0-9a-f]{64}  ", ""))
                .toList();
        try (Stream<Path> made = Files.list(files)) {
            assertThat(made.map(file -> file.getFileName().toString()).filter(name -> !name.equals("SHA256SUMS")))
                    .containsExactlyInAnyOrderElementsOf(named);
        }
    }

    @Test
    void listOfLibrariesNamesThem() throws Exception {
        JsonNode list =
                new ObjectMapper().readTree(find("first", ".*\\.cdx\\.json").toFile());
        assertThat(list.at("/bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(list.findValuesAsText("name")).contains("paddock-harness-cli", "jnr-posix", "sqlite-jdbc");
    }

    @Test
    void archiveIsNoLarger() throws Exception {
        assertThat(Files.size(archive)).isLessThanOrEqualTo(PACKED);
        String bytes = run("sh", "-c", "gzip -dc '" + archive + "' | wc -c").stdout();
        assertThat(Long.parseLong(bytes.strip())).isLessThanOrEqualTo(UNPACKED);
    }

    @Test
    void imageServesToolsAndEachSandboxWorksInIt() throws Exception {
        ReleaseImage.with(image, loaded -> {
            ReleaseImage.assertPagesLinesStartIt(image, ReleasePages.installation(IMAGE, archive), directory);
            ReleaseImage.assertServesTools(loaded, directory);
            ReleaseImage.assertEachSandboxWorks(loaded, directory);
        });
    }
}
