package dev.paddock.executor.worktree.git.config;

import java.util.List;
import java.util.Optional;

/**
 * The settings of one git configuration file, parsed as git's {@code config.c} does: several headers and settings on a
 * line, a byte order mark, continuation lines, CRLF, both forms of subsections, comments, quotes.
 *
 * @param settings in the file's order
 */
public record GitConfiguration(List<Setting> settings) {

    public GitConfiguration {
        settings = List.copyOf(settings);
    }

    /**
     * Parses a file's content.
     *
     * @param content bytes as ISO 8859-1
     * @return empty if git refuses the file, or it contains NUL, at which git's strings end
     */
    public static Optional<GitConfiguration> parse(String content) {
        try {
            return Optional.of(new GitConfiguration(new ConfigurationParser(content).parse()));
        } catch (ConfigurationParser.Malformed refused) {
            return Optional.empty();
        }
    }

    /** Returns the last value, where git uses that; empty if the setting is absent. */
    public Optional<String> last(String name) {
        return settings.stream()
                .filter(setting -> setting.name().equals(name))
                .reduce((earlier, later) -> later)
                .map(Setting::text);
    }

    /** Returns the configuration as the content of a file, bytes as ISO 8859-1. */
    public String content() {
        StringBuilder content = new StringBuilder();
        String header = "";
        for (Setting setting : settings) {
            String next = "[" + setting.section()
                    + setting.subsection()
                            .map(name -> " \"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                            .orElse("")
                    + "]\n";
            if (!next.equals(header)) {
                content.append(next);
                header = next;
            }
            content.append('\t')
                    .append(setting.key())
                    .append(setting.value().map(value -> " = " + quoted(value)).orElse(""))
                    .append('\n');
        }
        return content.toString();
    }

    private static String quoted(String value) {
        return '"'
                + value.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\t", "\\t")
                        .replace("\b", "\\b")
                + '"';
    }
}
