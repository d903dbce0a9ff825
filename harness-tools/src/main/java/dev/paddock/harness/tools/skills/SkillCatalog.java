package dev.paddock.harness.tools.skills;

import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Finds the skills in some directories, and provides the tool that reads them. Reports a fault in one skill without
 * affecting the others. Skills are untrusted: nothing is read through a link that leads out of a skill's directory.
 */
final class SkillCatalog implements ToolSource.Opened {
    /** The maximum number of skills; more would make every prompt long. */
    static final int MAX_SKILLS = 200;

    private final Map<String, Skill> skills = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private int tooMany;

    private SkillCatalog() {}

    /**
     * Searches directories for skills.
     *
     * @param directories each a skill, or a directory of skills
     * @return the skills found; the caller closes the catalog
     * @throws IllegalArgumentException if one is not a readable directory
     */
    public static SkillCatalog of(List<Path> directories) {
        SkillCatalog catalog = new SkillCatalog();
        try {
            directories.forEach(catalog::search);
        } catch (RuntimeException fault) {
            catalog.close();
            throw fault;
        }
        if (catalog.tooMany > 0) {
            catalog.problems.add(catalog.tooMany + " skills are left out: there are more than " + MAX_SKILLS
                    + ", and the prompt names each of them. Give fewer directories");
        }
        return catalog;
    }

    private void search(Path given) {
        Path directory = given.toAbsolutePath().normalize();
        if (isSkill(directory)) {
            take(directory);
            return;
        }
        // The dot makes the kernel refuse a pipe that has replaced the directory: opening it would block.
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.resolve("."), SkillCatalog::isSkill)) {
            // Sorted by name, so that every prompt is the same.
            StreamSupport.stream(entries.spliterator(), false)
                    .map(entry -> directory.resolve(entry.getFileName()))
                    .sorted()
                    .forEach(this::takeUnlessLink);
        } catch (IOException | DirectoryIteratorException fault) {
            throw new IllegalArgumentException(
                    "cannot read the directory of skills " + directory
                            + (Files.isDirectory(directory) ? "" : ", which does not exist or is not a directory"),
                    fault);
        }
    }

    /** Returns whether the directory contains the skill file; others are skipped without a report. */
    private static boolean isSkill(Path directory) {
        return Files.exists(directory.resolve(Skill.FILE), LinkOption.NOFOLLOW_LINKS);
    }

    private void takeUnlessLink(Path directory) {
        if (Files.isSymbolicLink(directory)) {
            leaveOut(directory, "it is a symbolic link, which is not followed. Give the directory that it leads to");
        } else {
            take(directory);
        }
    }

    private void take(Path directory) {
        try {
            add(Skill.open(directory));
        } catch (SkillException fault) {
            leaveOut(directory, String.valueOf(fault.getMessage()));
        } catch (UncheckedIOException fault) {
            leaveOut(directory, "it cannot be read: " + fault.getCause());
        }
    }

    private void add(Skill skill) {
        Skill other = skills.get(skill.name());
        if (other == null && skills.size() < MAX_SKILLS) {
            skills.put(skill.name(), skill);
            return;
        }
        skill.close();
        if (other == null) {
            tooMany++;
        } else {
            leaveOut(
                    skill.directory(),
                    "its name, '" + skill.name() + "', is already that of the skill in " + other.directory()
                            + ". Rename one, or leave one out");
        }
    }

    private void leaveOut(Path directory, String why) {
        problems.add("the skill in " + directory + " is left out: " + why);
    }

    @Override
    public List<Tool> tools() {
        return List.of(new SkillTool(skills));
    }

    @Override
    public String prompt() {
        if (skills.isEmpty()) {
            return "";
        }
        return "There are skills: instructions for particular tasks. When a task is one of these, read the skill with the tool '"
                + SkillTool.NAME + "' before you begin.\n"
                + skills.values().stream().map(Skill::line).collect(Collectors.joining("\n"));
    }

    @Override
    public List<String> problems() {
        return List.copyOf(problems);
    }

    @Override
    public void close() {
        skills.values().forEach(Skill::close);
    }
}
