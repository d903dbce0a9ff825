package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wrappers by which a project brings its own Maven or Gradle: the cache keeps what they fetch. */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class WrappersTest {
    private static final Path GRADLE = Path.of("/usr/share/gradle/lib/gradle-launcher-4.4.1.jar");
    private static final String GRADLEW = "./gradlew -q --no-daemon --offline help";

    @TempDir
    private Path root;

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void mavenOfWrapperIsKept(String sandbox) throws Exception {
        Paddock paddock = FirstProject.MAVEN.create(root.toRealPath());
        paddock.host("mvn -q -B -N org.apache.maven.plugins:maven-wrapper-plugin:3.3.4:wrapper -Dmaven=3.9.9");

        Paddock.Result off = paddock.script(sandbox, "./mvnw -v");
        assertThat(off.exitCode()).as("%s", off).isNotZero();
        assertThat(off.stderr()).contains("the network is off for commands", "--cache maven");

        Paddock.Result fetched = paddock.script(sandbox, "./mvnw -v", "--cache=maven", "--network=open");
        assertThat(fetched.stdout()).as(fetched.stderr()).contains("3.9.9");
        Paddock.Result kept = paddock.script(sandbox, "./mvnw -v", "--cache=maven");
        assertThat(kept.stdout()).as(kept.stderr()).contains("3.9.9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void gradleOfWrapperIsKept(String sandbox) throws Exception {
        Prerequisite.require(Files.exists(GRADLE), "no " + GRADLE);
        Path real = root.toRealPath();
        Path project = Files.createDirectory(real.resolve("project"));
        Files.createFile(project.resolve("build.gradle"));
        Paddock paddock =
                Paddock.in(project, Files.createDirectory(real.resolve("home"))).withDebiansJava();
        byte[] distribution = distribution();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, distribution.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(distribution);
            }
        });
        server.start();
        try {
            paddock.env("GRADLE_USER_HOME", real.resolve("own").toString())
                    .host("gradle -q --no-daemon wrapper --gradle-distribution-url http://127.0.0.1:"
                            + server.getAddress().getPort() + "/gradle-4.4.1-bin.zip");
            Paddock.Result fetched = paddock.script(sandbox, GRADLEW, "--cache=gradle", "--network=open");
            assertThat(fetched.exitCode()).as("%s", fetched).isZero();
        } finally {
            server.stop(0);
        }
        String network = sandbox.equals("bwrap") ? "--network=off" : "--network=open"; // Gradle needs sockets
        Paddock.Result kept = paddock.script(sandbox, GRADLEW, "--cache=gradle", network);
        assertThat(kept.exitCode()).as("%s", kept).isZero();
        assertThat(paddock.script(sandbox, GRADLEW, network).exitCode())
                .as("without the cache")
                .isNotZero();
    }

    /** Returns a distribution that starts the Gradle of Debian's package. */
    private static byte[] distribution() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "file:" + GRADLE);
        ByteArrayOutputStream launcher = new ByteArrayOutputStream();
        new JarOutputStream(launcher, manifest).close();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String directory : List.of("gradle-4.4.1/", "gradle-4.4.1/bin/", "gradle-4.4.1/lib/")) {
                zip.putNextEntry(new ZipEntry(directory)); // which this wrapper does not make by itself
            }
            zip.putNextEntry(new ZipEntry("gradle-4.4.1/bin/gradle"));
            zip.putNextEntry(new ZipEntry("gradle-4.4.1/lib/" + GRADLE.getFileName()));
            zip.write(launcher.toByteArray());
        }
        return bytes.toByteArray();
    }
}
