package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The lines of the page about monorepos, in a package of npm's workspace. */
@EnabledOnOs(OS.LINUX)
class MonorepoTest {
    private static final Path PAGE = Path.of("..", "docs", "monorepos.md");
    private static final Pattern LINE = Pattern.compile("(?m)^paddock exec (.*?) (?:-- (.*)|-c '(.*)')$");

    @TempDir
    private Path root;

    @Test
    void eachLineDoesWhatPageSays() throws Exception {
        Programs.require("npm");
        Path real = root.toRealPath();
        Path repository = Files.createDirectory(real.resolve("project"));
        Path part = Files.createDirectories(repository.resolve("packages/api"));
        Files.writeString(repository.resolve("package.json"), "{\"private\": true, \"workspaces\": [\"packages/*\"]}");
        Files.writeString(part.resolve("package.json"), """
                {"name": "api", "version": "1.0.0", "scripts": {"test": "node -e 'require(`dep`)'"}}
                """.replace('`', '"').replace("\"dep\"", "\\\"dep\\\""));
        Files.writeString(
                Files.createDirectories(repository.resolve("node_modules/dep")).resolve("index.js"), "");
        Paddock paddock = Paddock.in(part, Files.createDirectory(real.resolve("home")));
        paddock.host("cd ../.. && git init -q && git add packages"
                + " && git -c user.name=a -c user.email=a@example.org commit -qm x");
        assertThat(paddock.script("bwrap", "npm test").exitCode())
                .as("without the page")
                .isNotZero();

        Matcher lines = LINE.matcher(Files.readString(PAGE));
        int count = 0;
        while (lines.find()) {
            String options = lines.group(1).replace("$(realpath ../..)", repository.toString());
            String script = lines.group(2) == null ? lines.group(3) : lines.group(2);
            Paddock.Result result = paddock.script(
                    "bwrap",
                    script,
                    List.of(options.replace("\"", "").split(" ", -1)).toArray(String[]::new));
            assertThat(result.exitCode())
                    .as(script + result.stdout() + result.stderr())
                    .isZero();
            count++;
        }
        assertThat(count).isEqualTo(4);
    }
}
