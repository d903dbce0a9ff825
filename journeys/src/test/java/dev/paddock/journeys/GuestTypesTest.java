package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Guest code in TypeScript that is checked before it runs. */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class GuestTypesTest {
    private static final String CHECK = "node_modules/.bin/tsc --noEmit --strict --target es2023 --module esnext"
            + " --moduleResolution bundler --lib es2023 --typeRoots none paddock.d.ts main.ts";

    /** Uses every binding, and gives the shape of each result as the declarations have it. */
    private static final String MAIN = """
            const exact = <T extends object>(value: T, keys: (keyof T)[]): boolean =>
              Object.keys(value).sort().join() === (keys as string[]).sort().join();
            export async function run(input: Json, { WORKSPACE, EXEC, ENV, SECRETS, OBSERVE, vars }: GuestBindings) {
              const written: null = await WORKSPACE.writeText('a.txt', 'one\\ntwo\\n');
              const [entry] = await WORKSPACE.list();
              const stat = await WORKSPACE.stat('a.txt');
              const [match] = await WORKSPACE.grep('two', { include: ['*.txt'], caseSensitive: false });
              const paths: string[] = await WORKSPACE.glob('a.txt');
              const ended = await EXEC.run('cat', ['a.txt'], { timeoutMs: 5000 });
              const again = await EXEC.run({ command: 'cat', args: ['a.txt'] });
              const none: string | null = await ENV.get('NONE');
              const emitted: null = await OBSERVE.emit({ scope: 'net', action: 'seen', outcome: 'success' });
              const blocked = await fetch('https://example.org/', { headers: { accept: 'text/html' } });
              const timer: number = setTimeout((n: number) => console.log(n), 1, 2);
              clearTimeout(timer);
              const { stdout }: { stdout: string } = again;
              return {
                shapes: [
                  exact(entry!, ['path', 'kind', 'size']), exact(stat, ['path', 'kind', 'size']),
                  exact(match!, ['path', 'line', 'column', 'content']),
                  exact(ended, ['exitCode', 'stdout', 'stderr', 'timedOut', 'durationMs']),
                ],
                values: [written, emitted, none, paths.join(), stdout, match?.line, stat.kind, blocked.status],
                keys: [await SECRETS.keys(), vars.none ?? null, input],
              };
            }
            """;

    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
    }

    private static String found(String expression, String text) {
        Set<String> names = Pattern.compile(expression, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        return String.join(",", names);
    }

    @Test
    void everyNameOfGuestIsDeclared() throws Exception {
        String types = paddock.run("guest", "types").stdout();
        Files.writeString(project.resolve("names.js"), """
                const members = (value) => Object.keys(value).sort().join();
                export const run = () => ({
                  globals: Object.getOwnPropertyNames(globalThis).sort(),
                  workspace: members(WORKSPACE), exec: members(EXEC), env: members(ENV), observe: members(OBSERVE),
                });
                """);
        Paddock.Result result = paddock.run("guest", "run", "names.js", "--executor", "bwrap");
        String[] declared =
                found("(?<=^declare (var|class|function) )\\w+", types).split(",");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        for (String name : declared) {
            assertThat(result.stdout()).contains("\"" + name + "\"");
        }
        assertThat(declared).contains("WORKSPACE", "fetch", "Headers", "structuredClone");
        for (String part : new String[] {"Workspace", "Exec", "Observe"}) {
            String body = types.substring(types.indexOf("interface Guest" + part + " {"));
            assertThat(result.stdout())
                    .contains("\"" + part.toLowerCase(Locale.ROOT) + "\":\""
                            + found("(?<=^  )\\w+(?=\\()", body.substring(0, body.indexOf("\n}"))) + "\"");
        }
    }

    /** TypeScript is installed by npm, from its registry. */
    @Test
    void typeScriptChecksGuestByPrintedDeclarations() throws Exception {
        Programs.require("npm");
        Files.writeString(project.resolve("main.ts"), MAIN);
        paddock.host("npm install --silent --no-save --no-audit --no-fund typescript@5.9.3");
        Files.writeString(
                project.resolve("paddock.d.ts"), paddock.run("guest", "types").stdout());

        assertThat(paddock.host(CHECK)).isEmpty();
        Paddock.Result result = paddock.run(
                "guest", "run", "main.ts", "--executor", "bwrap", "--allow-command", "cat", "--input", "[1]");
        assertThat(result.stdout())
                .as(result.stderr())
                .isEqualTo("{\"shapes\":[true,true,true,true],\"values\":[null,null,null,\"a.txt\",\"one\\ntwo\\n\","
                        + "2,\"file\",403],\"keys\":[[],null,[1]]}\n");

        Files.writeString(project.resolve("main.ts"), MAIN.replace("stat.kind", "stat.mode"));
        assertThat(paddock.host(CHECK + " || true")).contains("'mode' does not exist on type 'GuestEntry'");
    }
}
