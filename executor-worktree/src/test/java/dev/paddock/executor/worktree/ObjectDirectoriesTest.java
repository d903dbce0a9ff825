package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what a command leaves among a repository's objects, where git opens whatever has the right name. */
class ObjectDirectoriesTest extends GuardedWorktree {
    private static final int KILLED = 137;
    private static final String HEX = "0123456789abcdef0123456789abcdef012345";
    private static final List<String> PLACES = List.of(
            "ab/" + HEX,
            "pack/pack-" + HEX + "ab.idx",
            "pack/multi-pack-index",
            "info/commit-graph",
            "info/packs",
            "ab/sub/deep/file",
            "xy/file");
    /** One of them is the name of a directory that git has not made yet. */
    private static final String FAN_OUTS = "cd ce cf d0 d1 d2 d3 d4 d5";

    private static final String PIPE = "mkfifo \"$N\"";
    private static final String SOCKET =
            "perl -MIO::Socket::UNIX -e 'chdir shift; IO::Socket::UNIX->new(Local => shift,"
                    + " Listen => 1) or die' \"${N%/*}\" \"${N##*/}\"";

    private Path outside;

    @BeforeEach
    void createRepositories() throws Exception {
        outside = Files.createDirectory(directory.resolve("outside"));
        shell(outside, "echo precious > file && mkfifo pipe");
        shell(
                worktree,
                "git init -q -b main packed && cd packed && echo p > p && git add p && git commit -qm p && git gc -q");
        refresh();
    }

    private static String planting(String repository, String shape) {
        String objects = "$PWD/" + repository + "/.git/objects";
        return "for place in " + String.join(" ", PLACES) + "; do N=\"" + objects + "/$place\""
                + " && mkdir -p \"${N%/*}\" && rm -rf \"$N\" && " + shape + "; done && for place in " + FAN_OUTS
                + "; do N=\"" + objects + "/$place\"; [ -e \"$N\" ] || break; done && " + shape;
    }

    /** Runs git as the host's user does, and kills it after so many seconds: it waits for a pipe. */
    private static int host(Path in, int seconds, String arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "timeout -s KILL " + seconds + " git " + arguments)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        return builder.start().waitFor();
    }

    private static void assertThatTheHostsGitEnds(Path repository) throws Exception {
        for (String command : List.of("log -1", "fsck", "gc -q", "status")) {
            assertThat(host(repository, 20, command))
                    .as("git %s in %s", command, repository)
                    .isZero();
        }
    }

    private static Set<Path> objects(Path repository) throws Exception {
        try (Stream<Path> all = Files.walk(repository.resolve(".git/objects"))) {
            return all.filter(Files::isRegularFile).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static boolean isThere(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    private void assertThatItIsMovedEverywhere(String shape) throws Exception {
        Set<Path> honest = objects(worktree);
        honest.addAll(objects(worktree.resolve("packed")));
        PLACES.forEach(place -> honest.removeIf(object -> object.endsWith(place)));
        String withOutside = shape.replace("$O", outside.toString());

        command(planting(".", withOutside));
        command("git init -q fresh && cd fresh && git commit -q --allow-empty -m x && cd .. && "
                + planting("packed", withOutside) + " && " + planting("fresh", withOutside));

        for (Path repository : List.of(worktree, worktree.resolve("packed"), worktree.resolve("fresh"))) {
            for (String place : PLACES) {
                assertThat(isThere(repository.resolve(".git/objects").resolve(place)))
                        .as("%s in %s", place, repository)
                        .isFalse();
            }
            try (Stream<Path> entries = Files.list(repository.resolve(".git/objects"))) {
                assertThat(entries).allMatch(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS));
            }
            assertThat(honest).allMatch(ObjectDirectoriesTest::isThere);
            assertThatTheHostsGitEnds(repository);
            honest.removeIf(object -> object.startsWith(repository)); // git packs them
        }
        assertThat(outside.resolve("file")).hasContent("precious\n");
    }

    @Test
    void pipesAreMoved() throws Exception {
        assertThatItIsMovedEverywhere(PIPE);
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(
            strings = {
                SOCKET,
                "ln -s \"$O/file\" \"$N\"",
                "ln -s \"$O\" \"$N\"",
                "ln -s \"$O/pipe\" \"$N\"",
                "ln -s \"$O/absent\" \"$N\""
            })
    void entriesThatAreNoFilesAreMoved(String shape) throws Exception {
        assertThatItIsMovedEverywhere(shape);
    }

    @Test
    @Tag("full")
    void devicesAreMoved() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can create a device");

        assertThatItIsMovedEverywhere("mknod \"$N\" c 1 3");
    }

    @Test
    void unguardedGitWaitsForPipeAndReadsThroughLink() throws Exception {
        Path repository = worktree.resolve("packed");
        shell(
                outside,
                "git init -q other && cd other && echo secret > s && git add s && git commit -qm secret && git gc -q");
        shell(
                repository,
                "cp -a ../../outside/other/.git/objects/pack/*.pack .git/objects/pack && cd .git/objects/pack && for i in"
                        + " ../../../../../outside/other/.git/objects/pack/*.idx; do ln -s \"$i\" .; done");
        assertThat(host(repository, 20, "cat-file -e $(git -C ../../outside/other rev-parse HEAD)"))
                .isZero();

        shell(repository, "mkdir -p .git/objects/ab && mkfifo .git/objects/ab/" + HEX);
        assertThat(host(repository, 1, "fsck")).isEqualTo(KILLED);
        shell(
                repository,
                "cd .git/objects && rm -r ab && echo x > pack/pack-" + HEX + "ab.pack && mkfifo pack/pack-" + HEX
                        + "ab.idx");
        assertThat(host(repository, 1, "log -1")).isEqualTo(KILLED);
    }

    @Test
    void repositoriesAmongObjectsAreUnmade() throws Exception {
        for (String name : List.of("ab/sub", "ab", "pack/deep/er")) {
            command("mkdir -p .git/objects/" + name + " && cp -r packed/.git/HEAD packed/.git/refs packed/.git/objects"
                    + " packed/.git/config .git/objects/" + name + " && git config -f .git/objects/" + name
                    + "/config core.fsmonitor \"touch ran; :\"");

            Path there = worktree.resolve(".git/objects").resolve(name);
            assertThat(there.resolve("HEAD")).doesNotExist();
            assertThat(there.resolve("refs")).as("what does nothing alone").exists();
            host(there, 20, "status");
            assertThat(there.resolve("ran")).doesNotExist();
        }
        command("git init -q .git/objects/cd/inner");
        assertThat(worktree.resolve(".git/objects/cd/inner/.git")).doesNotExist();
    }

    @Test
    void usersOwnLinksStay() throws Exception {
        Path link = worktree.resolve(".git/objects/ab/" + HEX);
        shell(worktree, "mkdir -p .git/objects/ab && ln -s ../../../../outside/file .git/objects/ab/" + HEX);
        refresh();

        assertThat(command("git commit -q --allow-empty -m x")).isEmpty();
        assertThat(command("touch .git/objects/ab/another")).isEmpty();
        assertThat(link).isSymbolicLink();

        command("ln -sf /dev/null .git/objects/ab/" + HEX);
        assertThat(isThere(link)).isFalse();
    }

    @Test
    void manyObjectsAreNotRemembered() throws Exception {
        assertThat(command("mkdir -p .git/objects/ab && cd .git/objects/ab && seq 5000 | xargs touch && mkfifo pipe"))
                .hasSize(1)
                .first()
                .asString()
                .contains("objects/ab/pipe", "neither a file nor a directory");
        assertThat(children(worktree.resolve(".git/objects/ab"))).hasSize(5_000);
    }
}
