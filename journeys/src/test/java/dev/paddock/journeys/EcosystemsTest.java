package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The first commands of further ecosystems, with their own tools: each works, or the reason is one line. */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class EcosystemsTest {
    private static final String OFF = "the network is off for commands";

    private static final Map<String, String> FILES = Map.of(
            "t/it.t",
            "use Test::More tests => 1; ok(1);\n",
            "Rakefile",
            "task(:default) { puts 'made' }\n",
            "build.xml",
            "<project default='it'><target name='it'/></project>\n",
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.10)\nproject(hello C)\nadd_executable(hello hello.c)\n",
            "hello.c",
            "int main(void) { return 0; }\n",
            "test_it.py",
            "def test_it(): assert True\n",
            "composer.json",
            "{\"require\": {\"psr/log\": \"*\"}}\n",
            "Gemfile",
            "source 'https://rubygems.org'\ngem 'left-pad'\n");

    @TempDir
    private Path root;

    private Paddock paddock = Paddock.in(Path.of(""), Path.of(""));

    @BeforeEach
    void create() throws Exception {
        Path project = Files.createDirectory(root.toRealPath().resolve("project"));
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Path path = project.resolve(file.getKey());
            Files.createDirectories(path.resolveSibling(""));
            Files.writeString(path, file.getValue());
        }
        paddock = Paddock.in(project, Files.createDirectory(root.toRealPath().resolve("home")))
                .withDebiansJava();
        paddock.host("git init -q && git add . && git -c user.name=a -c user.email=a@example.org commit -qm x");
    }

    static Stream<Arguments> commands() {
        List<String> works = List.of(
                "prove t",
                "rake",
                "ant",
                "cmake -G Ninja -B out . && ninja -C out",
                "pytest -q",
                "sqlite3 it.db 'create table it(a)'");
        List<String> needNetwork =
                List.of("composer install", "bundle install", "npm create vite@latest app", "cpan -T JSON::XS");
        return Stream.of("bwrap", "landlock")
                .flatMap(sandbox -> Stream.concat(
                        works.stream().map(command -> Arguments.of(sandbox, command, "")),
                        needNetwork.stream().map(command -> Arguments.of(sandbox, command, OFF))));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void firstCommandsWorkOrSayWhatTheyNeed(String sandbox, String command, String hint) throws Exception {
        for (String part : command.split(" && ", -1)) {
            Programs.require(part.split(" ", -1)[0]);
        }
        Paddock.Result result = paddock.script(sandbox, command, "--timeout", "60");
        if (hint.isEmpty()) {
            assertThat(result.exitCode()).as("%s", result).isZero();
            assertThat(result.stderr()).doesNotContain("paddock: ");
        } else {
            assertThat(result.stderr()).as("%s", result).contains("paddock: ", hint);
        }
    }
}
