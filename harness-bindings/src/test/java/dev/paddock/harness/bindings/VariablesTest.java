package dev.paddock.harness.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.harness.bindings.EnvOptions.ProcessVariables;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VariablesTest {
    private static final Map<String, String> PROCESS = Map.of("HOST_A", "1", "HOST_TOKEN", "t", "OTHER", "2");

    @TempDir
    Path root;

    private Variables read(EnvOptions options) throws Exception {
        FileRoot only = new FileRoot("/", root.toRealPath(), Mount.Access.READ_WRITE);
        try (WorkspaceFiles files =
                WorkspaceFiles.open(List.of(only), AccessRules.keeping(ProtectedPaths.standard()))) {
            return Variables.read(options, files, PROCESS);
        }
    }

    @Test
    void withoutSourcesEveryEnvFileOfRootIsOneInOrderOfTheirNames() throws Exception {
        Files.writeString(root.resolve(".env"), "A=base\nB=base");
        Files.writeString(root.resolve(".env.local"), "B=local");
        Files.writeString(root.resolve(".environment"), "C=no");
        Variables variables = read(EnvOptions.standard());
        assertThat(variables.get("A", false)).contains("base");
        assertThat(variables.get("B", false)).contains("local");
        assertThat(variables.names(false)).containsExactly("A", "B");
    }

    @Test
    void laterSourceOverridesEarlierOne() throws Exception {
        Files.writeString(root.resolve("one"), "A=one\nB=one");
        EnvOptions options = EnvOptions.standard().from(EnvSource.file("one"), EnvSource.inline(Map.of("B", "two")));
        assertThat(read(options).get("B", false)).contains("two");
        assertThat(read(options).get("A", false)).contains("one");
        assertThat(read(options).source("A")).contains("file:one");
        assertThat(read(options).source("B")).contains("inline");
        Variables last = read(
                options.from(EnvSource.inline(Map.of("HOST_A", "inline", "HOST_TOKEN", "inline")), EnvSource.process())
                        .process(ProcessVariables.ALL));
        assertThat(last.get("HOST_A", false)).contains("1");
        assertThat(last.get("HOST_TOKEN", true)).contains("t");
        assertThat(last.source("HOST_TOKEN")).contains("process");
        assertThat(last.source("NONE")).isEmpty();
    }

    @Test
    void namesAreIncludedThenExcluded() throws Exception {
        EnvOptions options = EnvOptions.standard()
                .from(EnvSource.inline(Map.of("APP_A", "1", "APP_B", "2", "X", "3")))
                .including("APP_*")
                .excluding("*_B");
        assertThat(read(options).names(false)).containsExactly("APP_A");
    }

    @Test
    void nameIsSecretUnlessItIsPublic() throws Exception {
        EnvOptions inline = EnvOptions.standard()
                .from(EnvSource.inline(Map.of(
                        "PUBLIC_KEY",
                        "1",
                        "A_KEY",
                        "2",
                        "A_TOKEN",
                        "3",
                        "A_SECRET",
                        "4",
                        "A_PASSWORD",
                        "5",
                        "A",
                        "6")));
        Variables standard = read(inline);
        assertThat(standard.names(true)).containsExactly("A_KEY", "A_PASSWORD", "A_SECRET", "A_TOKEN");
        assertThat(standard.names(false)).containsExactly("A", "PUBLIC_KEY");
        assertThat(standard.get("A_KEY", false)).isEmpty();
        assertThat(standard.get("A", true)).isEmpty();
        Variables own = read(inline.classifying(List.of("A_KEY"), List.of("A*")));
        assertThat(own.names(false)).containsExactly("A_KEY", "PUBLIC_KEY");
        assertThat(own.names(true)).contains("A");
    }

    @Test
    void variablesOfProcessAreReadOnlyAsFarAsAskedFor() throws Exception {
        EnvOptions source = EnvOptions.standard().from(EnvSource.process());
        assertThat(read(source).names(false)).isEmpty();
        assertThat(read(source.process(ProcessVariables.MATCHING)).names(false)).isEmpty();
        Variables matching = read(source.including("HOST_*").process(ProcessVariables.MATCHING));
        assertThat(matching.names(false)).containsExactly("HOST_A");
        assertThat(matching.names(true)).containsExactly("HOST_TOKEN");
        Variables all = read(source.excluding("OTHER").process(ProcessVariables.ALL));
        assertThat(all.names(false)).containsExactly("HOST_A");
        assertThat(read(EnvOptions.standard().process(ProcessVariables.ALL)).names(false))
                .contains("OTHER");
        Variables included = read(source.including("HOST_A").process(ProcessVariables.ALL));
        assertThat(included.names(false)).containsExactly("HOST_A");
        assertThat(included.names(true)).isEmpty();
        Variables excluded =
                read(source.including("HOST_*").excluding("*_TOKEN").process(ProcessVariables.MATCHING));
        assertThat(excluded.names(true)).isEmpty();
        assertThat(excluded.names(false)).containsExactly("HOST_A");
    }

    @Test
    void fileOfVariablesIsReadLineByLine() {
        assertThat(Dotenv.parse("""
                        # comment
                        export A = 'single "quoted"'
                        B="line\\nbreak"
                        C= spaced  out # no comment
                        D=
                        =nothing
                        no equals
                        E="unbalanced
                        F=$A
                        G=a=b

                        H=""twice""
                        B=later
                        """))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "A", "single \"quoted\"",
                        "B", "later",
                        "C", "spaced  out # no comment",
                        "D", "",
                        "E", "\"unbalanced",
                        "F", "$A",
                        "G", "a=b",
                        "H", "\"twice\""));
        assertThat(Dotenv.parse("A=\"x\\ny\"\r\nB=2"))
                .containsEntry("A", "x\ny")
                .containsEntry("B", "2");
    }

    /** The last line of a key ends with an equals sign as often as not: it must be no name and no value. */
    @Test
    void valueInQuotesMayHaveMoreLines() {
        assertThat(Dotenv.parse("""
                        A=1
                        APP_PRIVATE_KEY="-----BEGIN PRIVATE KEY-----
                        MIIEvQ+/abc
                        Zm9vYmFy=
                        -----END PRIVATE KEY-----"
                        B='x
                          y=z '
                        C="open
                        D="x"
                        """))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "A", "1",
                        "APP_PRIVATE_KEY",
                                "-----BEGIN PRIVATE KEY-----\nMIIEvQ+/abc\nZm9vYmFy=\n-----END PRIVATE KEY-----",
                        "B", "x\n  y=z ",
                        "C", "\"open",
                        "D", "x"));
    }

    @Test
    void malformedGlobIsRefusedWhereItIsSet() {
        assertThatThrownBy(() -> EnvOptions.standard().including("["))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[");
    }
}
