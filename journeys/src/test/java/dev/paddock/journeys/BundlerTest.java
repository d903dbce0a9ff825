package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Installs a project's gems, which Bundler and gem write to the system's directories by default. */
@EnabledOnOs(OS.LINUX)
class BundlerTest {
    private static final String GEM = """
            mkdir -p gem/lib project/vendor/cache && cd gem && echo 'puts "hello from a gem"' >lib/hello.rb
            cat >hello.gemspec <<'END'
            Gem::Specification.new { |s| s.name = 'hello'; s.version = '1.0'; s.summary = 'A greeting'
              s.authors = ['Ann']; s.files = ['lib/hello.rb']; s.license = 'MIT'; s.homepage = 'https://example.org' }
            END
            gem build -q hello.gemspec && mv hello-1.0.gem ../project/vendor/cache
            printf 'source "https://example.org"\\ngem "hello"\\n' >../project/Gemfile
            """;

    @TempDir
    private Path root;

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void installsAndLoads(String sandbox) throws Exception {
        Programs.require("bundle");
        Path real = root.toRealPath();
        Path home = Files.createDirectory(real.resolve("home"));
        Paddock.in(real, home).host(GEM);
        Paddock.Result result = Paddock.in(real.resolve("project"), home)
                .script(
                        sandbox,
                        "bundle install --local && bundle exec ruby -e 'require %q(hello)' && gem list --no-versions");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        assertThat(result.stdout()).contains("hello from a gem\n", "rake\n");
    }
}
