package dev.paddock.cli.setup;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.cli.setup.document.SettingsRefusedException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Keeps the records of changed files below {@code $XDG_STATE_HOME/paddock/setup}, readable only by the user. */
final class UndoRecords {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Enough for the changed lines of the largest settings file, before and after, and their escapes. */
    private static final int MAX_BYTES = 64 << 20;

    private final Path directory;

    UndoRecords(InvocationContext caller) {
        Path state = Path.of(caller.variable("XDG_STATE_HOME").orElse(""));
        Path base = state.isAbsolute() ? state : Locations.home(caller).resolve(".local/state");
        this.directory = base.resolve("paddock/setup");
    }

    /**
     * Returns the record of a file.
     *
     * @throws SettingsRefusedException if there is one that cannot be read
     */
    Optional<UndoRecord> find(Path file) {
        Path record = record(file);
        try (InputStream content = Files.newInputStream(record)) {
            byte[] bytes = content.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("it has more than " + (MAX_BYTES >> 20) + " MiB");
            }
            return Optional.of(UndoRecord.read(JSON.readTree(bytes)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException fault) {
            throw failed("cannot be read", record, fault);
        }
    }

    /** Replaces the record of a file; empty removes it. */
    void replace(Path file, Optional<UndoRecord> by) {
        Path record = record(file);
        try {
            if (by.isEmpty()) {
                Files.deleteIfExists(record);
                return;
            }
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path beside = Files.createTempFile(directory, "record-", "");
            try {
                Files.write(beside, JSON.writeValueAsBytes(by.get().toJson().put("file", file.toString())));
                Files.move(beside, record, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(beside);
            }
        } catch (IOException fault) {
            throw failed("cannot be written", record, fault);
        }
    }

    static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Path record(Path file) {
        return directory.resolve(digest(file.toString().getBytes(StandardCharsets.UTF_8)) + ".json");
    }

    private static SettingsRefusedException failed(String what, Path record, IOException fault) {
        return new SettingsRefusedException("the record that --undo needs " + what + ": '" + record + "' ("
                + Console.text(fault)
                + "); make it accessible, or set XDG_STATE_HOME to another directory");
    }
}
