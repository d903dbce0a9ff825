package dev.paddock.harness.bindings;

import dev.paddock.harness.audit.AuditRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Provides a project with variables and files, and containers of it whose commands run in bubblewrap. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ExecBench {
    static final String CANARY = "canary-4711";

    @TempDir
    Path directory;

    final Queue<AuditRecord> records = new ConcurrentLinkedQueue<>();
    Path root = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        root = Files.createDirectory(directory.toRealPath().resolve("project"));
        Files.writeString(root.resolve(".env"), "NAME=open\nno-shell=1\nUID=7\nPATH=/evil\nAPI_KEY=" + CANARY);
        Files.createDirectory(root.resolve("sub"));
        Files.createSymbolicLink(root.resolve("out"), directory);
        Files.writeString(root.resolve("sub/file.txt"), "text\n");
    }

    ContainerOptions.Builder container(ExecPolicy policy) {
        return AgentContainer.builder(root).backend("bwrap").exec(policy).audit(records::add);
    }

    static BindingException refused(Runnable call) {
        try {
            call.run();
        } catch (BindingException expected) {
            return expected;
        }
        throw new AssertionError("the call succeeded");
    }

    List<String> events() {
        return records.stream()
                .filter(record -> record.event().equals("binding"))
                .map(record -> record.fields().get("scope") + " "
                        + record.fields().get("action") + " " + record.fields().get("outcome"))
                .toList();
    }
}
