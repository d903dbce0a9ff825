package dev.paddock.cli.setup;

import dev.paddock.cli.setup.document.Document;
import dev.paddock.cli.setup.document.SettingsRefusedException;
import java.nio.file.Path;
import java.util.List;

/**
 * A file of a client, and its required content.
 *
 * @param file the file
 * @param within the directory that a symbolic link must not lead out of; the root for files of the user's, whose links
 *     are the user's own
 * @param format the file's format
 * @param settings the settings that it has to contain
 */
record Target(Path file, Path within, Format format, List<ClientSetting> settings) {

    /** The format of a file. */
    enum Format {
        JSON,
        JSON_WITH_COMMENTS,
        TOML
    }

    /**
     * Parses the file's text.
     *
     * @throws SettingsRefusedException if it cannot be parsed
     */
    Document parse(String text) {
        return switch (format) {
            case JSON -> Document.json(file.toString(), text, false);
            case JSON_WITH_COMMENTS -> Document.json(file.toString(), text, true);
            case TOML -> Document.toml(file.toString(), text);
        };
    }
}
