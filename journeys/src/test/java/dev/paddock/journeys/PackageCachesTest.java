package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A package of a registry on this machine: the second install takes it from the cache, with the network off. */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class PackageCachesTest {
    private static final String MANAGERS = "pnpm@9.15.9 yarn@1.22.22 bun@1.2.21 deno@2.9.6";
    private static final String ANSWER = "hello from the registry\n";

    @TempDir
    private static Path managers;

    @TempDir
    private Path root;

    private Path project = Path.of("");
    private Paddock paddock = Paddock.in(project, project);

    @SuppressWarnings("NullAway.Init") // set before each test
    private HttpServer registry;

    @BeforeAll
    static void install() throws Exception {
        Programs.require("npm");
        managers = managers.toRealPath();
        Paddock.in(managers, managers).host("npm install --silent --no-audit --no-fund " + MANAGERS);
    }

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        paddock.host("git init -q");
        Path served = Files.createDirectory(real.resolve("served"));
        registry = SimpleFileServer.createFileServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), served, SimpleFileServer.OutputLevel.NONE);
        registry.start();
        Paddock.in(served, served).host("""
                mkdir package
                echo '{"name": "greeting", "version": "1.0.0"}' >package/package.json
                echo 'console.log("hello from the registry")' >package/index.js
                echo '{"name": "ann/greeting"}' >package/composer.json
                echo '<?php echo "hello from the registry\\n";' >package/hello.php
                tar -czf greeting.tgz package && tar -cf greeting.tar package""");
        byte[] tarball = Files.readAllBytes(served.resolve("greeting.tgz"));
        String sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(tarball));
        String integrity = Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-512").digest(tarball));
        Files.writeString(served.resolve("greeting"), """
                {"name": "greeting", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": {"name": "greeting",
                "version": "1.0.0", "dist": {"tarball": "http://%s/greeting.tgz", "shasum": "%s",
                "integrity": "sha512-%s"}}}}
                """.formatted(address(), sum, integrity));
        Files.writeString(served.resolve("packages.json"), """
                {"packages": {"ann/greeting": {"1.0.0": {"name": "ann/greeting", "version": "1.0.0",
                "autoload": {"files": ["hello.php"]}, "dist": {"type": "tar", "url": "http://%s/greeting.tar"}}}}}
                """.formatted(address()));
        Files.writeString(project.resolve(".npmrc"), "registry=http://" + address() + "/\n");
        Files.writeString(project.resolve("package.json"), """
                {"name": "x", "private": true, "dependencies": {"greeting": "1.0.0"}}
                """);
        Files.writeString(project.resolve("composer.json"), """
                {"repositories": [{"type": "composer", "url": "http://%s"}, {"packagist.org": false}],
                "config": {"secure-http": false}, "require": {"ann/greeting": "1.0.0"}}
                """.formatted(address()));
    }

    @AfterEach
    void stop() {
        registry.stop(0);
    }

    private String address() {
        return "localhost:" + registry.getAddress().getPort();
    }

    private Paddock.Result install(String sandbox, String command, String... options) throws Exception {
        paddock.host("rm -rf node_modules vendor");
        List<String> all = new ArrayList<>(List.of("--mount", managers + ":" + managers));
        all.addAll(List.of(options));
        String start = command.startsWith("composer ") ? "php vendor/autoload.php" : "node node_modules/greeting";
        String line = "PATH=" + managers + "/node_modules/.bin:$PATH; " + command + " >&2 && " + start;
        return paddock.script(sandbox, line, all.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "bwrap, pnpm, pnpm install --prefer-offline",
        "landlock, pnpm, pnpm install --prefer-offline",
        "bwrap, yarn, yarn install --prefer-offline",
        "landlock, yarn, yarn install --prefer-offline",
        "bwrap, bun, bun install",
        "landlock, bun, bun install",
        "bwrap, deno, deno install",
        "landlock, deno, deno install",
        "bwrap, composer, composer install -n",
        "landlock, composer, composer install -n",
    })
    void secondInstallTakesPackageFromCache(String sandbox, String kind, String command) throws Exception {
        if (kind.equals("composer")) {
            Programs.require("composer");
        }
        String network = sandbox.equals("bwrap") ? "--allow=" + address() : "--network=open";
        Paddock.Result first = install(sandbox, command, "--cache", kind, network);
        assertThat(first.stdout()).as(first.stderr()).isEqualTo(ANSWER);

        Paddock.Result without = install(sandbox, command);
        assertThat(without.exitCode()).as(without.stdout()).isNotZero();
        Paddock.Result second = install(sandbox, command, "--cache", kind);
        assertThat(second.stdout()).as(second.stderr()).isEqualTo(ANSWER);
    }
}
