package dev.paddock.executor.process.warm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.process.end.BoundedWait;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HelperCommand;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the bytes are those of the assembler sources, and runs the program of the processor
 * that this machine does not have in an emulator; the tests of the stub run this machine's own.
 */
@EnabledOnOs(OS.LINUX)
class SyscallTrampolineTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/paddock/executor/process/warm");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"X86_64, x86_64", "AARCH64, aarch64"})
    void bytesAreThoseOfAssemblerSource(SyscallTrampoline program, String processor) throws IOException {
        byte[] assembled = assembled(processor);
        assertThat(program.image())
                .as("the source's bytes are " + HexFormat.of().formatHex(assembled))
                .isEqualTo(assembled);
    }

    @ParameterizedTest
    @CsvSource({"X86_64, x86_64", "AARCH64, aarch64"})
    void descriptorsAreThoseThatAreAskedFor(SyscallTrampoline program, String processor) throws IOException {
        byte[] assembled = assembled(processor, "--defsym", "requests=0", "--defsym", "answers=1");
        assertThat(program.image(0, 1)).isEqualTo(assembled).isNotEqualTo(program.image());
    }

    private byte[] assembled(String processor, String... options) throws IOException {
        Path source = SOURCES.resolve("trampoline-" + processor + ".s");
        Path object = directory.resolve("object");
        Path bytes = directory.resolve("bytes");
        List<String> line = new ArrayList<>(List.of(options));
        line.addAll(List.of("-I", SOURCES.toString(), "-o", object.toString(), source.toString()));
        run(processor + "-linux-gnu-as", line.toArray(String[]::new));
        run(processor + "-linux-gnu-objcopy", "-O", "binary", "-j", ".text", object.toString(), bytes.toString());
        return Files.readAllBytes(bytes);
    }

    private static void run(String program, String... arguments) {
        String path = program(program);
        List<String> line = Stream.concat(Stream.of(path), Stream.of(arguments)).toList();
        HelperCommand.Result result = HelperCommand.run(line);
        assertThat(result.succeeded()).as(line + ": " + result.output()).isTrue();
    }

    private static String program(String name) {
        Optional<String> found = HostEnvironment.findProgram(name);
        Prerequisite.require(found.isPresent(), "this machine has no " + name);
        return found.orElseThrow();
    }

    @Test
    void programForAarch64MakesCallsOfBatch() throws IOException {
        SyscallBatch enter = new SyscallBatch(Architecture.AARCH64).enter(directory.toString());
        SyscallBatch execute = new SyscallBatch(Architecture.AARCH64)
                .close(SyscallTrampoline.REQUESTS)
                .closeOnExecute(SyscallTrampoline.ANSWERS)
                .emptyInput()
                .duplicate(1, 2)
                .report()
                .execute(List.of("/bin/sh", "-c", "cat; pwd; echo \"$WHO\" >&2"), List.of("WHO=me"));
        try (Emulated program = new Emulated()) {
            program.send(enter);
            program.send(execute);
            assertThat(program.answer()).contains(new SyscallBatch.Answer(0, SyscallBatch.Purpose.SETTING_UP));
            assertThat(program.answer()).as("the end of the answers").isEmpty();
            assertThat(program.output()).isEqualTo(directory.toRealPath() + "\nme\n");
        }
    }

    @Test
    void programForAarch64ReportsFailedCallAndMakesNoMore() throws IOException {
        SyscallBatch batch = new SyscallBatch(Architecture.AARCH64)
                .write(1, "before\n".getBytes(US_ASCII))
                .enter(directory.resolve("missing").toString())
                .write(1, "after\n".getBytes(US_ASCII));
        try (Emulated program = new Emulated()) {
            program.send(batch);
            assertThat(program.answer()).contains(new SyscallBatch.Answer(Errno.ENOENT, SyscallBatch.Purpose.ENTERING));
            program.end();
            assertThat(program.answer()).isEmpty();
            assertThat(program.output()).isEqualTo("before\n");
        }
    }

    /** The program for AArch64 in qemu's emulator of user programs. */
    private final class Emulated implements AutoCloseable {
        private final Supervisor supervisor;
        private final ChildProcess child;

        Emulated() throws IOException {
            Path image = Files.write(directory.resolve("trampoline"), SyscallTrampoline.AARCH64.image());
            assertThat(image.toFile().setExecutable(true)).isTrue();
            LaunchSpec spec = LaunchSpec.builder(program("qemu-aarch64"), image.toString())
                    .stdin(SpawnOptions.Stdin.PIPE)
                    .descriptor(SyscallTrampoline.REQUESTS, new ChildDescriptor.Reads())
                    .descriptor(SyscallTrampoline.ANSWERS, new ChildDescriptor.Writes(true))
                    .build();
            supervisor = Supervisor.create("trampoline-test", false);
            child = supervisor.launch(spec);
        }

        void send(SyscallBatch batch) throws IOException {
            child.to(SyscallTrampoline.REQUESTS).write(batch.encode());
        }

        Optional<SyscallBatch.Answer> answer() throws IOException {
            return SyscallBatch.Answer.read(child.from(SyscallTrampoline.ANSWERS));
        }

        void end() throws IOException {
            child.to(SyscallTrampoline.REQUESTS).close();
            assertThat(BoundedWait.upTo(10_000, child.ended())).isTrue();
        }

        String output() throws IOException {
            return new String(child.stdout().readAllBytes(), US_ASCII);
        }

        @Override
        public void close() {
            supervisor.discard(child);
            supervisor.close();
        }
    }
}
