package dev.paddock.cli.setup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.paddock.cli.setup.ClientSetting.Value;
import dev.paddock.cli.setup.ClientSetting.Words;
import dev.paddock.cli.setup.document.Document;
import dev.paddock.cli.setup.document.SettingsRefusedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A planned change of one file.
 *
 * @param file the file as it was read
 * @param after the text to write; empty to remove the file
 * @param notes messages for the user, in addition to the diff
 * @param record the record to keep; empty for none
 * @param directories the directories to remove if they are empty, the innermost first
 */
record FileChange(
        SettingsFile file,
        Optional<String> after,
        List<String> notes,
        Optional<UndoRecord> record,
        List<String> directories) {

    /**
     * Plans setup's change; empty if the file already contains all settings.
     *
     * @throws SettingsRefusedException if the file cannot be changed
     */
    static Optional<FileChange> setUp(Target target, UndoRecords records) {
        SettingsFile file = SettingsFile.read(target.file(), target.within());
        Document before = target.parse(file.text());
        Document after = before;
        List<String> notes = new ArrayList<>();
        List<List<String>> parents = new ArrayList<>();
        List<AppliedSetting> done = new ArrayList<>();
        for (ClientSetting setting : target.settings()) {
            if (setting.isMetBy(after.settings())) {
                continue;
            }
            requireRoom(target, after.settings(), setting);
            parents.addAll(ClientSetting.missingAbove(after.settings(), setting.path()));
            AppliedSetting one = done(after, setting);
            if (one.isWords()
                    && ClientSetting.at(after.settings(), setting.path()).isMissingNode()) {
                parents.add(setting.path());
            }
            if (one.written().isObject() && one.before().isPresent()) {
                notes.add(file.path() + ": '" + String.join(".", one.path())
                        + "' exists already and is another entry; it is replaced");
            }
            JsonNode expected = one.applyTo(after.settings());
            after = one.isWords()
                    ? after.append(one.path(), Document.words(one.written()))
                    : after.put(one.path(), one.written());
            requireSame(target, expected, after.settings());
            done.add(one);
        }
        if (done.isEmpty()) {
            return Optional.empty();
        }
        UndoRecord record = new UndoRecord(
                !file.exists(),
                file.missingDirectories().stream().map(Path::toString).toList(),
                UndoRecords.digest(file.encode(after.text())),
                Hunk.between(file.text(), after.text()),
                parents,
                done);
        Optional<UndoRecord> all = Optional.of(record.after(records.find(target.file()), before.settings()));
        return Optional.of(new FileChange(file, Optional.of(after.text()), notes, all, List.of()));
    }

    /**
     * Plans the undo of setup's change.
     *
     * @throws SettingsRefusedException if a setting has another value since
     */
    static FileChange undo(Target target, UndoRecord record) {
        SettingsFile file = SettingsFile.read(target.file(), target.within());
        Optional<String> after;
        if (!file.exists()) {
            after = Optional.empty();
        } else if (UndoRecords.digest(file.encode(file.text())).equals(record.digest())) {
            after = Optional.of(Hunk.revert(record.hunks(), file.text()));
        } else {
            after = Optional.of(withoutSettings(target, file, record));
        }
        boolean isOurs =
                record.created() && after.filter(FileChange::hasContent).isEmpty();
        return new FileChange(
                file, isOurs ? Optional.empty() : after, List.of(), Optional.empty(), record.directories());
    }

    /** Returns whether the change leaves the file as it is. */
    boolean isNothing() {
        return after.map(text -> file.exists() && text.equals(file.text())).orElse(!file.exists());
    }

    /** Returns the change as a unified diff, in lines. */
    List<String> diff() {
        String name = file.path().toString();
        return Hunk.unified(
                file.exists() ? name : "/dev/null",
                after.isPresent() ? name : "/dev/null",
                file.text(),
                after.orElse(""));
    }

    /**
     * Carries the change out.
     *
     * @throws SettingsRefusedException if the file has changed since it was read, or cannot be written; it is untouched
     *     then
     */
    void apply(UndoRecords records) {
        Optional<UndoRecord> previous = records.find(file.path());
        if (record.isPresent()) {
            records.replace(file.path(), record);
        }
        try {
            if (after.isPresent() && !isNothing()) {
                file.write(after.get());
            } else if (file.exists() && after.isEmpty()) {
                file.delete();
            }
        } catch (SettingsRefusedException refusal) {
            records.replace(file.path(), previous);
            throw refusal;
        }
        if (record.isEmpty()) {
            records.replace(file.path(), Optional.empty());
            directories.stream().map(Path::of).forEach(file::removeIfEmpty);
        }
    }

    private static AppliedSetting done(Document document, ClientSetting setting) {
        return switch (setting) {
            case Value value -> new AppliedSetting(value.path(), value.value(), false, document.raw(value.path()));
            case Words words -> {
                var missing = JsonNodeFactory.instance.arrayNode();
                words.missing(document.settings()).forEach(missing::add);
                yield new AppliedSetting(words.path(), missing, true, Optional.empty());
            }
        };
    }

    private static String withoutSettings(Target target, SettingsFile file, UndoRecord record) {
        Document document = target.parse(file.text());
        for (AppliedSetting one : record.done().reversed()) {
            document = one.undo(document, file.path().toString());
        }
        for (List<String> parent : record.parents().reversed()) {
            JsonNode present = ClientSetting.at(document.settings(), parent);
            document = present.isContainerNode() && present.isEmpty() ? document.remove(parent) : document;
        }
        return document.text();
    }

    private static void requireRoom(Target target, JsonNode settings, ClientSetting setting) {
        boolean isList = setting instanceof Words;
        JsonNode present = ClientSetting.at(settings, setting.path());
        Optional<List<String>> wrong = ClientSetting.obstacle(settings, setting.path())
                .or(() -> Optional.of(setting.path())
                        .filter(path -> isList && !present.isMissingNode() && !present.isArray()));
        if (wrong.isPresent()) {
            throw new SettingsRefusedException(
                    target.file() + ": '" + String.join(".", wrong.get()) + "' is neither absent nor "
                            + (isList && wrong.get().equals(setting.path()) ? "a list" : "an object")
                            + ", as the client expects it; correct the file and run setup again");
        }
    }

    /** Checks that a change had exactly the intended effect. */
    private static void requireSame(Target target, JsonNode expected, JsonNode actual) {
        if (!expected.equals(actual)) {
            throw new SettingsRefusedException(target.file()
                    + ": this file has a form that setup cannot change without changing more; change it by hand");
        }
    }

    private static boolean hasContent(String text) {
        return !text.isBlank() && !text.strip().matches("\\{\\s*}");
    }
}
