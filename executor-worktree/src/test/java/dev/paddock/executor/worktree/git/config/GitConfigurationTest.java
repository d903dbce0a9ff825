package dev.paddock.executor.worktree.git.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the parser with the forms of git's grammar that a simpler parser misreads. */
class GitConfigurationTest {

    private static List<String> names(String content) {
        return GitConfiguration.parse(content).orElseThrow().settings().stream()
                .map(setting -> setting.name()
                        + setting.value().map(value -> "=" + value).orElse(""))
                .toList();
    }

    @Test
    void severalHeadersAndSettingsOnLineAreParsed() {
        assertThat(names("[a] x = 1\n[b][core] fsmonitor = evil\n[c]y\n"))
                .containsExactly("a.x=1", "core.fsmonitor=evil", "c.y");
    }

    @Test
    void byteOrderMarkDoesNotHideFirstHeader() {
        assertThat(names("\u00ef\u00bb\u00bf[core]\nfsmonitor=evil")).containsExactly("core.fsmonitor=evil");
        assertThat(GitConfiguration.parse("\u00ef\u00bb[core]\nfsmonitor=evil")).isEmpty();
    }

    @Test
    void continuationsAndCarriageReturnsAreParsed() {
        assertThat(names("[core]\r\n\thooks\r\n\tx = a\\\r\n b \\\n\tc\r\n"))
                .containsExactly("core.hooks", "core.x=a b  c");
    }

    @Test
    void bothFormsOfSubsectionsAreParsed() {
        assertThat(names("[Filter \"A\\\"b\\c\"]\nClean=x\n[FILTER.Old]\nClean = y"))
                .containsExactly("filter.A\"bc.clean=x", "filter.old.clean=y");
    }

    @Test
    void commentsAndQuotesAreParsedAsGitDoes() {
        assertThat(names("# [x]\n[a] ; z = 1\n k = \" a # b \" c ; d\n e = \\\"\\t\\n\\\\\n"))
                .containsExactly("a.k= a # b  c", "a.e=\"\t\n\\");
    }

    @Test
    void refusesWhatGitRefuses() {
        assertThat(List.of(
                        "[a",
                        "[a]\nb c",
                        "[a]\n= c",
                        "[a]\nb = \"c",
                        "[a]\nb = \\x",
                        "[a b]\n",
                        "[a \"b]\n",
                        "[a]\nb = \0"))
                .allSatisfy(content ->
                        assertThat(GitConfiguration.parse(content)).as(content).isEmpty());
    }

    @Test
    void writesWhatItReads() {
        String content = "[a]\nk = \" x\\\\\\t;\\\"\"\n[s \"u\\\\\\\"b\"]\nk\n[s]\nother =\n";
        GitConfiguration read = GitConfiguration.parse(content).orElseThrow();

        assertThat(GitConfiguration.parse(read.content())).isEqualTo(Optional.of(read));
    }
}
