package dev.paddock.architecture;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.io.File;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks that what works in worktrees changes and opens no file by its path. A command can exchange each part of a path
 * between a check and its use: for a link, which leads out, or for a pipe, which blocks. Such code goes from open
 * directory to open directory, or opens by {@code RegularFile}.
 */
class WorktreeAccessTest {
    /** The packages, with those below them, that work on files which commands can replace. */
    private static final List<String> PACKAGES = List.of(
            "dev.paddock.cli.setup",
            "dev.paddock.executor.remote.files",
            "dev.paddock.executor.remote.sync",
            "dev.paddock.executor.sandbox.policy",
            "dev.paddock.executor.worktree.files",
            "dev.paddock.executor.worktree.git",
            "dev.paddock.harness.bindings",
            "dev.paddock.harness.files",
            "dev.paddock.harness.tools.files",
            "dev.paddock.harness.tools.hint",
            "dev.paddock.harness.tools.skills",
            "dev.paddock.harness.workspace.snapshot",
            "dev.paddock.harness.workspace.tree");

    /** Without its journal, whose files are Paddock's own. */
    private static final String GUARD = "dev.paddock.executor.worktree";

    private static final Set<String> CHANGES = Set.of(
            "copy",
            "createDirectories",
            "createDirectory",
            "createFile",
            "createLink",
            "createSymbolicLink",
            "createTempDirectory",
            "createTempFile",
            "delete",
            "deleteIfExists",
            "move",
            "newBufferedWriter",
            "newByteChannel",
            "newOutputStream",
            "setAttribute",
            "setLastModifiedTime",
            "setOwner",
            "setPosixFilePermissions",
            "write",
            "writeString");

    private static final Set<String> OPENINGS = Set.of(
            "find",
            "lines",
            "list",
            "newBufferedReader",
            "newByteChannel",
            "newDirectoryStream",
            "newInputStream",
            "readAllBytes",
            "readAllLines",
            "readString",
            "walk",
            "walkFileTree");

    private static final String HELD = "acts below a directory or on a file that is held open";
    private static final String OWN = "changes files of Paddock's own, where no command can write";
    private static final String CHECKED = "where the kernel holds no directory open: checks before and after";
    private static final String KERNEL = "reads what the kernel says, below /proc";

    /** The top-level classes that may, with the reasons. */
    private static final Map<String, String> MAY_CHANGE = Map.ofEntries(
            entry("dev.paddock.cli.setup.SettingsFile", HELD),
            entry("dev.paddock.cli.setup.UndoRecords", OWN),
            entry("dev.paddock.executor.remote.sync.HostDirectory", HELD),
            entry("dev.paddock.executor.remote.sync.Landing", OWN),
            entry("dev.paddock.executor.remote.sync.Pull", OWN),
            entry("dev.paddock.executor.remote.sync.SparseOutput", OWN),
            entry("dev.paddock.executor.worktree.DirectoryJournal", OWN),
            entry("dev.paddock.executor.worktree.GuardStore", OWN),
            entry("dev.paddock.executor.worktree.Removal", HELD),
            entry("dev.paddock.executor.worktree.Repairer", HELD),
            entry("dev.paddock.executor.worktree.ShownConfigurations", OWN),
            entry("dev.paddock.executor.worktree.files.FileClock", HELD),
            entry("dev.paddock.executor.worktree.files.Trees", HELD),
            entry("dev.paddock.harness.files.CheckedDirectory", CHECKED),
            entry("dev.paddock.harness.files.DirectoryMaker", HELD),
            entry("dev.paddock.harness.workspace.tree.DetachedRepository", OWN),
            entry("dev.paddock.harness.workspace.tree.TreeReader", OWN));

    private static final Map<String, String> MAY_OPEN = Map.ofEntries(
            entry("dev.paddock.cli.setup.UndoRecords", OWN),
            entry("dev.paddock.executor.remote.sync.HostDirectory", HELD),
            entry("dev.paddock.executor.remote.sync.Pull", OWN),
            entry("dev.paddock.executor.sandbox.policy.SystemConfiguration", "lists /etc, which no command can change"),
            entry("dev.paddock.executor.worktree.DirectoryJournal", OWN),
            entry("dev.paddock.executor.worktree.RecordedBaseline", OWN),
            entry("dev.paddock.executor.worktree.files.DirectoryReader", CHECKED),
            entry("dev.paddock.executor.worktree.files.Inotify", KERNEL),
            entry("dev.paddock.executor.worktree.files.Trees", HELD),
            entry("dev.paddock.harness.files.CheckedDirectory", CHECKED),
            entry("dev.paddock.harness.files.OpenDescriptors", KERNEL),
            entry("dev.paddock.harness.files.SecureDirectory", HELD),
            entry("dev.paddock.harness.files.kernel.ProcessDirectories", KERNEL),
            entry(
                    "dev.paddock.harness.tools.skills.SkillCatalog",
                    "lists a directory that the program names; each skill is opened by reference"));

    @Test
    void changesNoFileByItsPath() {
        assertThat(without(MAY_CHANGE, accesses(WorktreeAccessTest::changes)))
                .as("changes of files by path, in packages that work in worktrees")
                .isEmpty();
    }

    /** What opens a worktree's files asks the executor which of them commands may not change. */
    private static final Map<String, String> MAY_NOT_ASK = Map.ofEntries(
            entry("dev.paddock.cli.dialogue.SessionScope", "shows the files that a prompt names, and changes none"),
            entry("dev.paddock.harness.tools.skills.Skill", "opens a directory to read it"));

    @Test
    void openedFilesLeaveWhatExecutorKeeps() {
        Map<String, Set<String>> open = new TreeMap<>();
        for (JavaClass type : Product.CLASSES) {
            if (calls(type, WorkspaceFiles.class, "open") && !calls(type, AccessRules.class, "alsoKeeping")) {
                open.put(type.getName(), Set.of("WorkspaceFiles.open without AccessRules.alsoKeeping"));
            }
        }
        assertThat(without(MAY_NOT_ASK, open))
                .as("files that are opened without CommandExecutor.isKept")
                .isEmpty();
    }

    private static boolean calls(JavaClass type, Class<?> owner, String method) {
        return type.getAccessesFromSelf().stream()
                .map(JavaAccess::getTarget)
                .anyMatch(target -> target.getOwner().isEquivalentTo(owner)
                        && target.getName().equals(method));
    }

    @Test
    void opensNoFileByItsPath() {
        assertThat(without(MAY_OPEN, accesses(WorktreeAccessTest::opens)))
                .as("openings of files by path, in packages that work in worktrees")
                .isEmpty();
    }

    private static boolean changes(AccessTarget target) {
        JavaClass owner = target.getOwner();
        return (owner.isEquivalentTo(Files.class) && CHANGES.contains(target.getName()))
                || opensToWrite(target)
                || (owner.isEquivalentTo(File.class)
                        && target.getName().matches("delete|mkdirs?|renameTo|createNewFile|set[A-Z].*"));
    }

    private static boolean opensToWrite(AccessTarget target) {
        JavaClass owner = target.getOwner();
        boolean constructed = owner.isEquivalentTo(FileOutputStream.class)
                || owner.isEquivalentTo(FileWriter.class)
                || owner.isEquivalentTo(RandomAccessFile.class);
        return (constructed && target.getName().equals("<init>"))
                || (owner.isEquivalentTo(FileChannel.class) && target.getName().equals("open"));
    }

    private static boolean opens(AccessTarget target) {
        JavaClass owner = target.getOwner();
        return (owner.isEquivalentTo(Files.class) && OPENINGS.contains(target.getName()))
                || (owner.getName().matches("java\\.io\\.(FileInputStream|FileReader)")
                        && target.getName().equals("<init>"));
    }

    /** Returns the calls, by the name of the top-level class that makes them. */
    private static Map<String, Set<String>> accesses(Predicate<AccessTarget> forbidden) {
        Map<String, Set<String>> found = new TreeMap<>();
        for (JavaClass type : Product.CLASSES) {
            if (isConcerned(type.getPackageName())) {
                type.getAccessesFromSelf().stream()
                        .map(JavaAccess::getTarget)
                        .filter(forbidden)
                        .forEach(target -> found.computeIfAbsent(topLevel(type), name -> new TreeSet<>())
                                .add(target.getOwner().getSimpleName() + "." + target.getName()));
            }
        }
        return found;
    }

    private static boolean isConcerned(String name) {
        return name.equals(GUARD) || PACKAGES.stream().anyMatch(root -> Module.isWithin(name, root));
    }

    private static String topLevel(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    private static Map<String, Set<String>> without(Map<String, String> permitted, Map<String, Set<String>> found) {
        Set<String> classes = Product.CLASSES.stream().map(JavaClass::getName).collect(Collectors.toSet());
        assertThat(permitted.keySet())
                .as("exceptions that are needed no more")
                .allMatch(name -> found.containsKey(name) || !classes.contains(name));
        found.keySet().removeAll(permitted.keySet());
        return found;
    }

    /** Positive control: the rules above would also hold if they found nothing. */
    @Test
    void rulesFindTheirCases() {
        assertThat(accesses(WorktreeAccessTest::changes)).isNotEmpty();
        assertThat(accesses(WorktreeAccessTest::opens)).isNotEmpty();
    }
}
