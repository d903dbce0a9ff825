package dev.paddock.harness.bindings;

import java.util.Map;
import java.util.TreeSet;

/**
 * A source of variables.
 *
 * @since 0.1
 */
public sealed interface EnvSource {

    /**
     * A file of variables in the container's root.
     *
     * @param path the file, relative to the root; contained in it, links included
     * @param optional whether it may be missing
     */
    record File(String path, boolean optional) implements EnvSource {}

    /** Variables of the host's process, as {@link EnvOptions#process()} permits. */
    record HostProcess() implements EnvSource {}

    /**
     * Variables given in code.
     *
     * @param values names and values
     */
    record Inline(Map<String, String> values) implements EnvSource {
        public Inline {
            values = Map.copyOf(values);
        }

        /** Shows only names, since values may be secret. */
        @Override
        public String toString() {
            return "Inline" + new TreeSet<>(values.keySet());
        }
    }

    /**
     * Returns a required file.
     *
     * @param path the file, relative to the root
     * @return the source
     */
    static EnvSource file(String path) {
        return new File(path, false);
    }

    /**
     * Returns an optional file.
     *
     * @param path the file, relative to the root
     * @return the source
     */
    static EnvSource optionalFile(String path) {
        return new File(path, true);
    }

    /** {@return the source that reads the host's process} */
    static EnvSource process() {
        return new HostProcess();
    }

    /**
     * Returns variables given in code.
     *
     * @param values names and values
     * @return the source
     */
    static EnvSource inline(Map<String, String> values) {
        return new Inline(values);
    }
}
