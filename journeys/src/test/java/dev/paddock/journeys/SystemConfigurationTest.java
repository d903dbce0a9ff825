package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interpreters find the configuration that the system's packages have installed. */
@EnabledOnOs(OS.LINUX)
class SystemConfigurationTest {
    @TempDir
    private Path root;

    private Paddock paddock = Paddock.in(Path.of(""), Path.of(""));

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        paddock =
                Paddock.in(Files.createDirectory(real.resolve("project")), Files.createDirectory(real.resolve("home")));
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void phpHasItsModulesAndComposerStarts(String sandbox) throws Exception {
        Programs.require("composer");
        Files.writeString(paddock.directory().resolve("composer.json"), "{\"name\": \"a/b\", \"require\": {}}");
        String modules = "php -m";
        assertThat(paddock.script(sandbox, modules).stdout()).isEqualTo(paddock.host(modules));
        Paddock.Result composer =
                paddock.script(sandbox, "COMPOSER_ALLOW_SUPERUSER=1 composer install --no-interaction 2>&1");
        assertThat(composer.exitCode()).as(composer.stdout()).isZero();
        assertThat(paddock.directory().resolve("vendor/autoload.php")).exists();
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void manFindsItsPages(String sandbox) throws Exception {
        Programs.require("manpath");
        assertThat(paddock.script(sandbox, "manpath -g").stdout()).isEqualTo(paddock.host("manpath -g"));
    }

    /** LaTeX's packages make its formats at their installation, below {@code /var}. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void latexFindsItsFormats(String sandbox) throws Exception {
        Programs.require("pdflatex");
        Files.writeString(
                paddock.directory().resolve("a.tex"),
                "\\documentclass{article}\\begin{document}Hello\\end{document}\n");
        Paddock.Result result = paddock.script(sandbox, "pdflatex -interaction=batchmode a.tex");
        assertThat(result.exitCode()).as(result.stdout()).isZero();
        assertThat(paddock.directory().resolve("a.pdf")).isNotEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void passwordsAndKeysStayHidden(String sandbox) {
        String script = "for name in shadow ssl/private npmrc pip.conf apt ssh php/8.2/fpm; do"
                + " cat /etc/$name; ls -A /etc/$name/; done 2>/dev/null; test -d /etc/ssl/certs && echo seen";
        assertThat(paddock.script(sandbox, script).stdout()).isEqualTo("seen\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void fileThatEveryUserOfHostReadsNamesItsMount(String sandbox) {
        Paddock.Result hidden = paddock.script(sandbox, "cat /etc/issue");
        assertThat(hidden.exitCode()).isOne();
        assertThat(hidden.stderr()).contains("--mount /etc/issue:/etc/issue");
        assertThat(paddock.script(sandbox, "cat /etc/issue", "--mount", "/etc/issue:/etc/issue")
                        .exitCode())
                .as("as the hint says")
                .isZero();
        assertThat(paddock.script(sandbox, "cat /etc/shadow").stderr()).doesNotContain("--mount /etc");
        assertThat(paddock.script(sandbox, "cat /etc/no-such-file").stderr()).doesNotContain("--mount /etc");
    }
}
