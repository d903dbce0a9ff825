package dev.paddock.harness.bindings;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.paddock.executor.policy.CodeInjectionVariables;
import dev.paddock.executor.variable.HarmlessVariables;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The variables of a container: every value with its class and its source. */
final class Variables {
    private static final long MAX_FILE_BYTES = 1 << 20;
    private static final String INLINE = "inline";
    private static final String PROCESS = "process";

    private final EnvOptions options;
    private final List<EnvSource> sources;
    private final NavigableMap<String, Variable> byName;

    private Variables(EnvOptions options, List<EnvSource> sources, NavigableMap<String, Variable> byName) {
        this.options = options;
        this.sources = sources;
        this.byName = byName;
    }

    /**
     * A variable.
     *
     * @param source {@code file:PATH}, {@code process} or {@code inline}
     */
    record Variable(String value, boolean secret, String source) {
        /** Omits the value, which may be secret. */
        @Override
        public String toString() {
            return "Variable[secret=" + secret + ", source=" + source + "]";
        }
    }

    /**
     * Reads the sources.
     *
     * @param root the files of the container's root, without rules on what may be read
     */
    static Variables read(EnvOptions options, WorkspaceFiles root, Map<String, String> process) {
        List<EnvSource> sources = options.sources().isEmpty() ? standard(options, root) : options.sources();
        NavigableMap<String, Variable> byName = new TreeMap<>();
        for (EnvSource source : sources) {
            switch (source) {
                case EnvSource.File file ->
                    put(byName, options, Dotenv.parse(text(root, file)), "file:" + EnvPath.normal(file.path()));
                case EnvSource.Inline inline -> put(byName, options, inline.values(), INLINE);
                case EnvSource.HostProcess host ->
                    put(
                            byName,
                            options,
                            process.entrySet().stream()
                                    .filter(variable -> options.reads(variable.getKey()))
                                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
                            PROCESS);
            }
        }
        byName.keySet().removeIf(name -> !options.counts(name));
        return new Variables(options, List.copyOf(sources), byName);
    }

    private static List<EnvSource> standard(EnvOptions options, WorkspaceFiles root) {
        List<EnvSource> found = new ArrayList<>();
        root.list(".").stream()
                .filter(entry -> EnvPath.isEnv(entry.name()))
                .forEach(entry -> found.add(EnvSource.optionalFile(entry.name())));
        if (options.process() != EnvOptions.ProcessVariables.NONE) {
            found.add(EnvSource.process());
        }
        return found;
    }

    private static String text(WorkspaceFiles root, EnvSource.File file) {
        String path = EnvPath.normal(file.path());
        try {
            return new String(root.read(path, MAX_FILE_BYTES), StandardCharsets.UTF_8);
        } catch (FileException missing) {
            boolean isThere = missing.reason() != FileException.Reason.NOT_FOUND
                    && missing.reason() != FileException.Reason.NOT_A_FILE;
            if (file.optional() && !isThere) {
                return "";
            }
            throw missing;
        }
    }

    private static void put(
            Map<String, Variable> byName, EnvOptions options, Map<String, String> values, String source) {
        values.forEach((name, value) -> byName.put(name, new Variable(value, options.isSecret(name), source)));
    }

    Optional<String> get(String name, boolean secret) {
        return Optional.ofNullable(byName.get(name))
                .filter(variable -> variable.secret() == secret)
                .map(Variable::value);
    }

    /** Returns the source of a variable: {@code file:PATH}, {@code process} or {@code inline}. */
    Optional<String> source(String name) {
        return Optional.ofNullable(byName.get(name)).map(Variable::source);
    }

    /** Returns the paths of the files among the sources, as they were given. */
    List<String> files() {
        return sources.stream()
                .filter(EnvSource.File.class::isInstance)
                .map(source -> ((EnvSource.File) source).path())
                .toList();
    }

    /**
     * Returns whether commands may receive a variable. Of the variables in files, only secrets, harmless names and
     * names that the program includes: a command or the project's author may have written the files, and a variable
     * that sets a proxy or a registry would redirect the user's credentials.
     */
    boolean isForCommands(String name) {
        Variable variable = byName.get(name);
        if (variable == null || variable.source().equals(INLINE)) {
            return variable != null;
        }
        boolean isGiven = variable.source().equals(PROCESS) || variable.secret() || options.includes(name);
        return (isGiven && !CodeInjectionVariables.matches(name)) || HarmlessVariables.matches(name);
    }

    /** Returns the names of a class, sorted. */
    List<String> names(boolean secret) {
        return byName.entrySet().stream()
                .filter(entry -> entry.getValue().secret() == secret)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the values to redact: those of secrets, except short ones. */
    List<String> secretValues() {
        return byName.values().stream()
                .filter(variable -> variable.secret() && variable.value().length() > 3)
                .map(Variable::value)
                .toList();
    }

    boolean isSource(String path) {
        return options.fileAt(path, sources).isPresent();
    }

    /**
     * Returns a reader's view of a source file: its included variables that are not secrets, as {@code NAME="value"}
     * with the value as JSON, one a line.
     *
     * @return empty if the path is not that of a source
     */
    Optional<String> view(String path, WorkspaceFiles root) {
        return options.fileAt(path, sources)
                .map(file -> Dotenv.parse(text(root, file)).entrySet().stream()
                        .filter(entry -> options.counts(entry.getKey()) && !options.isSecret(entry.getKey()))
                        .map(entry -> entry.getKey() + "=" + TextNode.valueOf(entry.getValue()))
                        .collect(Collectors.joining("\n")));
    }
}
