package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.AbortController;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests file system calls that do not return, as on a FIFO that was swapped in or with an
 * unreachable file server.
 */
@Tag("full")
class HangTest {
    @TempDir
    Path directory;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @ParameterizedTest
    @CsvSource({"read,openFile", "edit,openFile", "grep,openFile", "ls,list", "find,list", "write,createFile"})
    void abortEndsCallThatHangsInFileSystem(String tool, String operation) throws Exception {
        try (FileToolBench bench = FileToolBench.with(directory, path -> hanging(Directory.open(path), operation))) {
            bench.put("a", "old");
            AbortController controller = new AbortController();
            CompletableFuture<ToolResult> call = CompletableFuture.supplyAsync(() -> bench.call(
                    controller.signal(),
                    tool,
                    "path",
                    tool.equals("ls") || tool.equals("find") ? "." : "a",
                    "content",
                    "new",
                    "pattern",
                    "x",
                    "glob",
                    "*",
                    "old_string",
                    "old",
                    "new_string",
                    "new"));
            assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
            controller.abort("enough");
            assertThat(call.get(60, TimeUnit.SECONDS))
                    .returns(true, ToolResult::isError)
                    .returns(tool + " was aborted: enough", ToolResult::text);
            released.countDown();
            awaitThreadsOf(tool);
            assertThat(bench.get("a")).isEqualTo("old");
            try (var entries = Files.list(bench.worktree)) {
                assertThat(entries).containsExactly(bench.worktree.resolve("a"));
            }
        }
    }

    @Test
    void callsLeaveNoDescriptorBehind() throws IOException {
        try (FileToolBench bench = FileToolBench.in(directory)) {
            bench.put("d/a", "x\n");
            bench.link("l", "d");
            bench.link("out", "/");
            long before = descriptors();
            for (int i = 0; i < 50; i++) {
                for (String path : new String[] {"l/a", "d", "nope/x", "out/etc", "l/../d/a", "../x"}) {
                    for (String tool : new String[] {"read", "edit", "write", "ls", "grep", "find"}) {
                        bench.call(
                                tool,
                                "path",
                                path,
                                "content",
                                "x\n",
                                "pattern",
                                "x",
                                "glob",
                                "*",
                                "old_string",
                                "y",
                                "new_string",
                                "z");
                    }
                }
            }
            assertThat(descriptors()).isLessThan(before + 50);
        }
    }

    private static long descriptors() throws IOException {
        Path own = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(own), "needs /proc");
        try (var entries = Files.list(own)) {
            return entries.count();
        }
    }

    private static void awaitThreadsOf(String tool) {
        await("the tool's thread has ended")
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("paddock-" + tool)));
    }

    private Directory hanging(Directory real, String operation) {
        return (Directory) Proxy.newProxyInstance(
                Directory.class.getClassLoader(), new Class<?>[] {Directory.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(operation)) {
                        reached.countDown();
                        released.await();
                    }
                    Object result = invoke(method, real, arguments == null ? new Object[0] : arguments);
                    return result instanceof Directory opened ? hanging(opened, operation) : result;
                });
    }

    private static Object invoke(Method method, Directory real, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
