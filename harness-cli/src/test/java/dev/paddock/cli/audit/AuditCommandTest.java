package dev.paddock.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.cli.Cli;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.audit.store.AuditSpool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the records that commands leave, and the subcommand that shows them. */
@EnabledOnOs(OS.LINUX)
class AuditCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private Path worktree;
    private Path user;
    private Path audit;

    @BeforeEach
    void createDirectories() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("tree"));
        user = Files.createDirectories(directory.resolve("config/paddock")).resolve("paddock.yaml");
        audit = directory.resolve("state/paddock/audit");
    }

    private Cli cli() {
        return Cli.in(worktree)
                .env("XDG_CONFIG_HOME", directory.resolve("config").toString())
                .env("XDG_STATE_HOME", directory.resolve("state").toString());
    }

    private Cli.Result run(String... words) throws Exception {
        return cli().run(words);
    }

    private void exec(String script) throws Exception {
        Cli.Result result = run("exec", "-n", "--executor", "host", "-c", script);
        assertThat(result.stderr()).isEmpty();
    }

    private int waiting() {
        return AuditSpool.of(audit).waiting();
    }

    @Test
    void commandLeavesRecordWithoutItsCredentials() throws Exception {
        exec("echo MY_TOKEN=hunter2hunter2; exit 7");
        assertThat(waiting()).isEqualTo(1);
        Cli.Result listed = run("audit", "list");
        assertThat(listed.exitCode()).as(listed.toString()).isZero();
        assertThat(listed.stdout())
                .hasLineCount(1)
                .contains("command", " 7 ", "host", "echo MY_TOKEN=[REDACTED]; exit 7")
                .doesNotContain("hunter2");
        assertThat(waiting()).isZero();
        JsonNode record =
                JSON.readTree(run("audit", "show", "1", "--json").stdout()).path("record");
        assertThat(record.path("caller").path("command").asText()).isEqualTo("paddock exec");
        assertThat(record.path("stdout_bytes").asInt()).isEqualTo("MY_TOKEN=hunter2hunter2\n".length());
        assertThat(record.path("cwd").asText()).isEqualTo(worktree.toString());
        assertThat(run("audit", "show", record.path("id").asText()).stdout())
                .contains("code             7\n", "seq              1\n");
    }

    @Test
    void optionAndUsersFileSwitchRecordsOff() throws Exception {
        assertThat(run("exec", "-n", "--executor", "host", "--no-audit", "true").exitCode())
                .isZero();
        Files.writeString(user, "audit: off\n");
        exec("true");
        assertThat(audit).doesNotExist();
        Cli.Result none = run("audit", "list");
        assertThat(none.exitCode()).isEqualTo(1);
        assertThat(none.stderr()).startsWith("paddock: there are no audit records in '" + audit + "'");
        assertThat(audit).doesNotExist();
        Files.writeString(user, "audit: on\n");
        exec("true");
        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    void worktreesFileCannotSwitchRecordsOff() throws Exception {
        Path project = Files.writeString(worktree.resolve("paddock.yaml"), "audit: off\n");
        Cli.Result refused = run("exec", "-n", "touch", "ran");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.stderr()).startsWith("paddock: " + project + ":1: ").contains("audit is 'on'");
        assertThat(worktree.resolve("ran")).doesNotExist();
        Files.writeString(project, "audit: on\n");
        Files.writeString(user, "audit: required\n");
        assertThat(run("exec", "-n", "touch", "ran").stderr()).contains("audit is 'required'");
        assertThat(worktree.resolve("ran")).doesNotExist();
    }

    @Test
    void workspacesCommandsAreRecordedAndRefusedWithoutRequiredRecord() throws Exception {
        Cli.Result opened = run("workspace", "open", "--kind", "local-bash");
        String id = opened.stdout().strip();
        assertThat(run("workspace", "exec", id, "-n", "--", "touch", "first").exitCode())
                .isZero();
        assertThat(run("workspace", "exec", id, "-n", "--no-audit", "--", "touch", "second")
                        .exitCode())
                .isZero();
        assertThat(run("audit", "list").stdout()).hasLineCount(1).contains("'touch' 'first'");
        Files.writeString(user, "audit: required\n");
        Files.delete(audit.resolve("audit.key"));
        Cli.Result refused = run("workspace", "exec", id, "-n", "--", "touch", "third");
        assertThat(refused.exitCode()).isEqualTo(125);
        assertThat(refused.stderr()).contains("audit.key' is missing; restore it");
        assertThat(run("workspace", "exec", id, "-n", "--no-audit", "--", "touch", "third")
                        .exitCode())
                .isEqualTo(2);
        Path files = directory.resolve("state/paddock/workspaces").resolve(id).resolve("files");
        assertThat(files.resolve("second")).exists();
        assertThat(files.resolve("third")).doesNotExist();
    }

    @Test
    void requiredRecordsAreInChainBeforeCommandStarts() throws Exception {
        Files.writeString(user, "audit: required\n");
        exec("true");
        assertThat(waiting()).isZero();
        assertThat(run("audit", "list").stdout().lines().map(line -> line.split(" +", -1)[3]))
                .containsExactly("command", "command.started");
        Cli.Result optedOut = run("exec", "-n", "--no-audit", "touch", "ran");
        assertThat(optedOut.exitCode()).isEqualTo(2);
        assertThat(optedOut.stderr()).contains("your configuration requires audit records");
        Files.delete(audit.resolve("audit.key"));
        Cli.Result refused = run("exec", "-n", "--executor", "host", "touch", "ran");
        assertThat(refused.exitCode()).isEqualTo(125);
        assertThat(refused.stderr()).contains("audit.key' is missing; restore it");
        assertThat(worktree.resolve("ran")).doesNotExist();
        Files.writeString(user, "audit: on\n");
        assertThat(run("exec", "-n", "--executor", "host", "touch", "ran").exitCode())
                .isZero();
        assertThat(worktree.resolve("ran")).exists();
    }

    @Test
    void recordThatCannotBeWrittenEndsNoCommand() throws Exception {
        Files.createDirectories(audit.getParent());
        Files.writeString(audit, "in the way");
        Cli.Result result = run("exec", "-n", "--executor", "host", "-c", "echo out; exit 3");
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.stdout()).isEqualTo("out\n");
        assertThat(result.stderr()).hasLineCount(1).contains("audit records could not be written", audit.toString());
    }

    @Test
    void manyRecordsAreMovedByCommand() throws Exception {
        AuditSpool spool = AuditSpool.of(audit);
        for (int number = 1; number < SpoolSink.BATCH; number++) {
            spool.write(AuditRecord.builder("test", Integer.toString(number), Instant.now())
                    .build());
        }
        exec("true");
        assertThat(waiting()).isZero();
        assertThat(run("audit", "verify").stdout()).startsWith("whole: 256 records\nhead 256:");
    }

    @Test
    void recordsAreSelectedAndExported() throws Exception {
        exec("echo one");
        exec("echo '=two'");
        assertThat(run("audit", "list", "--limit", "1").stdout())
                .contains("=two")
                .hasLineCount(1);
        assertThat(run("audit", "list", "--until", "1h").stderr()).isEqualTo("paddock: no record matches\n");
        assertThat(run("audit", "list", "--event", "connection").stderr()).isEqualTo("paddock: no record matches\n");
        assertThat(run("audit", "list", "--event", "comand").stderr())
                .startsWith("paddock: no record matches; 'comand' is no event of Paddock's: there are command,")
                .contains("binding", "tool.ended");
        assertThat(run("audit", "list", "--since", "1h").stdout()).hasLineCount(2);
        assertThat(run("audit", "list", "--event", "other").exitCode()).isZero();
        List<String> lines =
                run("audit", "export", "--format", "csv").stdout().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1)).startsWith("1,").endsWith(",echo one");
        String session = JSON.readTree(run("audit", "show", "2", "--json").stdout())
                .path("record")
                .path("session")
                .asText();
        assertThat(run("audit", "export", "--session-id", session).stdout())
                .hasLineCount(1)
                .contains("\"seq\":2");
        assertThat(run("audit", "tail", "--limit", "2").stdout()).hasLineCount(2);
        assertThat(run("audit", "prune", "--newest", "1").stdout()).isEqualTo("removed 1 record\n");
        assertThat(run("audit", "verify").stdout()).startsWith("whole: 2 records after 1 that were pruned\n");
    }

    @Tag("full")
    @Test
    void tailShowsRecordsThatCome() throws Exception {
        exec("echo one");
        Process tail = cli().start("audit", "tail", "--limit", "2");
        try {
            assertThat(tail.inputReader().readLine()).endsWith("echo one");
            exec("echo two");
            assertThat(tail.inputReader().readLine()).endsWith("echo two");
            assertThat(tail.waitFor()).isZero();
        } finally {
            tail.destroyForcibly().waitFor();
        }
    }

    @Test
    void tamperingIsFoundAndSaidWhere() throws Exception {
        exec("echo one");
        exec("echo two");
        String head = run("audit", "verify").stdout().lines().toList().get(1).substring("head ".length());
        SqliteShell.execute(audit.resolve("audit.db"), "DELETE FROM record WHERE seq = 2");
        Cli.Result cut = run("audit", "verify");
        assertThat(cut.exitCode()).isEqualTo(1);
        assertThat(cut.stdout()).startsWith("broken at record 2 (CUT): Record 2 is missing");
        JsonNode json = JSON.readTree(run("audit", "verify", "--json").stdout());
        assertThat(json.path("whole").asBoolean()).isFalse();
        assertThat(json.path("break").path("reason").asText()).isEqualTo("CUT");
        assertThat(run("audit", "verify", "--head", head).exitCode()).isEqualTo(1);
        assertThat(run("audit", "verify", "--head", "2:00").exitCode()).isEqualTo(2);
        assertThat(run("audit", "rotate-key").stderr()).contains("was tampered with");
    }

    @Test
    void keyIsRotatedAndMissingOrWrongOneIsSaid() throws Exception {
        exec("true");
        assertThat(run("audit", "verify").exitCode()).isZero();
        Path key = audit.resolve("audit.key");
        String old = Files.readString(key);
        assertThat(run("audit", "rotate-key").stdout()).isEqualTo("signed 1 record with a new key\n");
        assertThat(run("audit", "verify").stdout()).startsWith("whole: 2 records\n");
        Files.writeString(key, old);
        assertThat(run("audit", "verify"))
                .returns(1, Cli.Result::exitCode)
                .satisfies(wrong -> assertThat(wrong.stderr()).contains("and this is the key"));
        Files.delete(key);
        assertThat(run("audit", "list"))
                .returns(1, Cli.Result::exitCode)
                .satisfies(
                        missing -> assertThat(missing.stderr()).hasLineCount(1).contains("is missing; restore it"));
        assertThat(cli().env("PADDOCK_AUDIT_KEY", "12").run("audit", "list").stderr())
                .contains("PADDOCK_AUDIT_KEY is not 64 hexadecimal digits");
    }

    @Test
    void givenKeyIsUsedInPlaceOfFile() throws Exception {
        Cli keyed = cli().env("PADDOCK_AUDIT_KEY", "0a".repeat(32));
        assertThat(keyed.run("exec", "-n", "--executor", "host", "-c", "echo \"$PADDOCK_AUDIT_KEY.\"")
                        .stdout())
                .as("commands do not see the key")
                .isEqualTo(".\n");
        assertThat(audit.resolve("audit.key")).doesNotExist();
        assertThat(waiting()).isZero();
        assertThat(keyed.run("audit", "rotate-key").exitCode()).isEqualTo(2);
        assertThat(keyed.env("PADDOCK_AUDIT_NEW_KEY", "0b".repeat(32))
                        .run("audit", "rotate-key")
                        .exitCode())
                .isZero();
        assertThat(keyed.env("PADDOCK_AUDIT_KEY", "0b".repeat(32))
                        .run("audit", "verify")
                        .stdout())
                .startsWith("whole: 2 records");
    }

    @Tag("full")
    @Test
    void lockedStoreIsReadAndItsSpoolWaits() throws Exception {
        exec("echo one");
        assertThat(run("audit", "verify").exitCode()).isZero();
        exec("echo two");
        try (Connection holder = DriverManager.getConnection("jdbc:sqlite:" + audit.resolve("audit.db"));
                Statement statement = holder.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            Cli.Result listed = run("audit", "list");
            assertThat(listed.exitCode()).isZero();
            assertThat(listed.stdout()).hasLineCount(1).contains("echo one");
            assertThat(listed.stderr()).contains("records wait in the spool", "is locked by another process");
            exec("echo three");
        }
        assertThat(run("audit", "list").stdout()).hasLineCount(3);
    }

    @Test
    void mistakesAreRefused() throws Exception {
        exec("true");
        assertThat(run("audit").stderr()).contains("give one of list, show, verify, export, tail, prune, rotate-key");
        assertThat(run("audit", "lst").exitCode()).isEqualTo(2);
        assertThat(run("audit", "verify", "--limit", "3").stderr()).contains("--limit is no option of 'audit verify'");
        assertThat(run("audit", "list", "--since", "yesterday").exitCode()).isEqualTo(2);
        assertThat(run("audit", "export", "--format", "xml").exitCode()).isEqualTo(2);
        assertThat(run("audit", "show").exitCode()).isEqualTo(2);
        assertThat(run("audit", "show", "99").stderr()).contains("there is no record '99'");
        Files.writeString(audit.resolve("audit.db"), "this is no database, and longer than its header\n".repeat(40));
        assertThat(run("audit", "list"))
                .returns(1, Cli.Result::exitCode)
                .satisfies(damaged -> assertThat(damaged.stderr()).contains("is no database"));
    }

    @Test
    void mcpServersCommandsAreRecorded() throws Exception {
        String client = "'" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -cp '"
                + System.getProperty("java.class.path") + "' dev.paddock.cli.McpClientStub ";
        ProcessBuilder shell = new ProcessBuilder(
                        "sh", "-c", "exec " + client + cli().shellWords("mcp", "--executor", "host"))
                .directory(worktree.toFile());
        shell.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        Cli.Result ended = Cli.finish(shell.start());
        assertThat(ended.exitCode()).as(ended.toString()).isZero();
        Cli.Result listed = run("audit", "list", "--json");
        assertThat(listed.stdout())
                .as("the session's check of its directory, and the call")
                .hasLineCount(2)
                .contains("\"command\":\"paddock mcp\"", "\"command\":\"true\"", "\"session\":");
    }
}
