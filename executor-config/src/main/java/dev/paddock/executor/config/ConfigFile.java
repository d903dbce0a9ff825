package dev.paddock.executor.config;

import dev.paddock.executor.os.file.RegularFile;
import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads the YAML of one file: UTF-8, at most {@value #MAX_BYTES} bytes, one document.
 *
 * @param directory the base directory of the file's relative paths
 * @param paths the file's paths, as in {@link Origin}
 * @param above the paths of the files that extend it
 */
record ConfigFile(Path directory, List<Path> paths, List<Path> above) {
    static final int MAX_BYTES = 65_536;

    private static final String BYTE_ORDER_MARK = "\ufeff";

    /**
     * Finds a file.
     *
     * @param above the paths of the files that extend it
     * @throws SandboxConfigException if it does not exist or is not a regular file
     */
    static ConfigFile of(Path path, List<Path> above) {
        Path absolute = path.toAbsolutePath().normalize();
        try {
            Path parent =
                    Optional.ofNullable(absolute.getParent()).orElse(absolute).toRealPath();
            Path named = parent.resolve(String.valueOf(absolute.getFileName()));
            Path real = absolute.toRealPath();
            if (Files.isDirectory(real)) {
                throw new SandboxConfigException(absolute + " is a directory; name the file in it");
            }
            if (!Files.isRegularFile(real)) {
                throw new SandboxConfigException(absolute + " is no regular file; write the configuration to a file");
            }
            return new ConfigFile(parent, real.equals(named) ? List.of(named) : List.of(named, real), above);
        } catch (IOException fault) {
            if (Files.notExists(absolute)) {
                throw new SandboxConfigException(
                        "the configuration " + absolute + " does not exist; create it, or name another file", fault);
            }
            throw unreadable(absolute, fault);
        }
    }

    private static SandboxConfigException unreadable(Path file, IOException fault) {
        return new SandboxConfigException(
                "the configuration " + file + " cannot be read (" + FileFaults.reason(fault)
                        + "); make it readable to you",
                fault);
    }

    /** Returns whether the file is outside the directory of the file that was read first, which leads to it. */
    boolean isElsewhere() {
        Path first = above.isEmpty() ? paths.get(0) : above.get(0);
        return !paths.get(paths.size() - 1).startsWith(first.resolveSibling(""));
    }

    Origin at(int line) {
        return new Origin(paths, above, line);
    }

    Origin at(Node node) {
        return at(line(node.getStartMark()));
    }

    /**
     * Reads the file.
     *
     * @return the root of its tree
     * @throws SandboxConfigException if it is not YAML, is empty or too long; the message names the line
     */
    Node read() {
        LoadSettings settings =
                LoadSettings.builder().setAllowNonScalarKeys(true).build();
        String text = text();
        try {
            return new Composer(settings, new ParserImpl(settings, new StreamReader(settings, text)))
                    .getSingleNode()
                    .orElseThrow(() -> SandboxConfigException.at(
                            at(0), "it is empty; write at least 'extends: sandbox', or delete the file"));
        } catch (MarkedYamlEngineException fault) {
            Optional<Mark> mark = fault.getProblemMark().or(fault::getContextMark);
            throw SandboxConfigException.at(at(line(mark)), "this is no YAML: " + fault.getProblem());
        } catch (ReaderException fault) {
            int line = 1
                    + (int) text.codePoints()
                            .limit(fault.getPosition())
                            .filter(character -> character == '\n')
                            .count();
            throw SandboxConfigException.at(
                    at(line), "this is no YAML: the character U+" + String.format("%04X", fault.getCodePoint()));
        } catch (YamlEngineException fault) {
            throw SandboxConfigException.at(at(0), "this is no YAML: " + fault.getMessage());
        } catch (StackOverflowError deep) {
            throw SandboxConfigException.at(at(0), "this is nested too deeply");
        }
    }

    private String text() {
        byte[] bytes;
        try (FileChannel in = RegularFile.open(paths.get(paths.size() - 1))) {
            bytes = Channels.newInputStream(in).readNBytes(MAX_BYTES + 1);
        } catch (IOException fault) {
            throw unreadable(paths.get(0), fault);
        }
        if (bytes.length > MAX_BYTES) {
            throw SandboxConfigException.at(
                    at(0), "it is longer than " + MAX_BYTES + " bytes, which no configuration is");
        }
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(rest)
                    .toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException malformed) {
            int line = 1;
            for (int index = 0; index < rest.position(); index++) {
                line += bytes[index] == '\n' ? 1 : 0;
            }
            throw SandboxConfigException.at(at(line), "this is not UTF-8; save the file in that encoding");
        }
    }

    private static int line(Optional<Mark> mark) {
        return mark.map(found -> found.getLine() + 1).orElse(0);
    }
}
