package dev.paddock.executor.worktree.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.git.IndexBuilder.Entry;
import dev.paddock.executor.worktree.git.index.HashFormat;
import dev.paddock.executor.worktree.git.index.IndexReading;
import dev.paddock.executor.worktree.git.index.IndexVerifier;
import dev.paddock.executor.worktree.git.index.ObeyedNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the verifier with the real git on generated indexes: git reads each accepted one as it was
 * meant and writes only in the worktree, and each with a defect is refused. The system property {@code
 * paddock.git.rounds} sets how many; {@code paddock.git.seed} begins elsewhere.
 */
class IndexRefereeTest {
    private static final int ROUNDS = Integer.getInteger("paddock.git.rounds", 100) / 30;

    @TempDir
    Path temporary;

    private final Map<HashFormat, String> objects = new EnumMap<>(HashFormat.class);

    @BeforeEach
    void createRepositories() throws Exception {
        temporary = temporary.toRealPath();
        for (HashFormat format : HashFormat.values()) {
            Path worktree =
                    Files.createDirectories(temporary.resolve(format.name()).resolve("outer/work"));
            Files.createDirectory(worktree.resolve("../outside"));
            String name = format == HashFormat.SHA_1 ? "sha1" : "sha256";
            GitReferee.shell(
                    worktree, "git init -q --object-format=" + name + " . && rm -r .git/hooks && mkdir .git/hooks");
            objects.put(
                    format,
                    GitReferee.shell(worktree, "echo evil | git hash-object -w --stdin")
                            .strip());
        }
    }

    private Path worktree(HashFormat format) {
        return temporary.resolve(format.name()).resolve("outer/work");
    }

    private String object(HashFormat format) {
        return objects.getOrDefault(format, "");
    }

    /** By a shell: Java opens no path of 4096 bytes. */
    @AfterEach
    void removeFiles() throws Exception {
        GitReferee.shell(temporary, "rm -rf *");
    }

    @Test
    void acceptedIndexesAreReadAsMeantAndDefectiveOnesAreRefused() throws Exception {
        long seed = Long.getLong("paddock.git.seed", 1);
        Random random = new Random(seed);
        IndexGenerator generator = new IndexGenerator(random);
        int accepted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String as = "seed " + seed + ", round " + round;
            HashFormat format = round % 3 == 2 ? HashFormat.SHA_256 : HashFormat.SHA_1;
            IndexBuilder valid = generator.valid(format, object(format));
            requireAgreement(as, valid, Optional.empty(), valid.entries);
            IndexGenerator.Split split = generator.split(IndexGenerator.copy(valid));
            requireAgreement(as + ", split", split.index(), split.shared(), valid.entries);

            String outside = worktree(format).resolveSibling("outside").toString();
            IndexDefects.of(valid, outside, random)
                    .forEach((defect, index) -> assertThat(verify(format, index, Optional.empty()))
                            .as(as + ": " + defect)
                            .isInstanceOf(IndexReading.Refused.class));
            accepted += requireHarmless(as, valid, random);
        }
        assertThat(accepted).as("changed and accepted, seed " + seed).isPositive();
    }

    /**
     * Changes bytes at random; returns how many of the results are accepted, from which git must write nothing
     * elsewhere.
     */
    private int requireHarmless(String as, IndexBuilder valid, Random random) throws Exception {
        Path worktree = worktree(valid.format);
        int accepted = 0;
        for (int change = 0; change < 5; change++) {
            byte[] content = valid.content();
            content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
            byte[] index = Arrays.copyOf(content, content.length + valid.hashLength()); // no checksum
            if (verify(valid.format, index, Optional.empty()) instanceof IndexReading.Verified) {
                Map<String, String> before = outside(worktree);
                install(worktree, index, Optional.empty());
                checkOut(worktree);
                assertThat(outside(worktree)).as(as).isEqualTo(before);
                accepted++;
            }
        }
        return accepted;
    }

    private void requireAgreement(String as, IndexBuilder index, Optional<IndexBuilder> shared, List<Entry> entries)
            throws Exception {
        assertThat(verify(index.format, index.build(), shared))
                .as(as)
                .isEqualTo(new IndexReading.Verified(entries.stream()
                        .filter(entry -> entry.further() != 0)
                        .map(Entry::name)
                        .map(PathBytes::escaped)
                        .collect(Collectors.toSet())));
        Path worktree = worktree(index.format);
        Map<String, String> before = outside(worktree);
        install(worktree, index.build(), shared);
        GitReferee.Answer list = GitReferee.run(worktree, "git", "ls-files", "--stage", "-z");
        assertThat(Stream.of(list.output().split("\0")).map(line -> line.substring(line.indexOf('\t') + 1)))
                .as(as)
                .containsExactlyElementsOf(entries.stream().map(Entry::name).toList());
        checkOut(worktree);
        assertThat(outside(worktree)).as(as).isEqualTo(before);
    }

    @Test
    void entryThatReplacesSharedOneIsVerifiedUnderItsName() {
        IndexBuilder shared = new IndexBuilder();
        shared.object = object(HashFormat.SHA_1);
        shared.entries.add(Entry.of(".gitmodules", IndexBuilder.FILE));
        BitSet first = new BitSet();
        first.set(0);
        IndexBuilder own = IndexGenerator.copy(shared);
        String base = IndexBuilder.bytes(shared.checksum(shared.build()));
        own.extension("link", base + IndexBuilder.bitmap(new BitSet()) + IndexBuilder.bitmap(first));

        own.entries.set(0, Entry.of("", IndexBuilder.FILE));
        assertThat(verify(HashFormat.SHA_1, own.build(), Optional.of(shared)))
                .isInstanceOf(IndexReading.Verified.class);
        own.entries.set(0, Entry.of("", IndexBuilder.LINK));
        assertThat(verify(HashFormat.SHA_1, own.build(), Optional.of(shared))).isInstanceOf(IndexReading.Refused.class);
        own.entries.add(Entry.of(".gitmodules", IndexBuilder.FILE));
        own.entries.set(0, Entry.of("", IndexBuilder.FILE));
        assertThat(verify(HashFormat.SHA_1, own.build(), Optional.of(shared)))
                .as("once replaced, once added")
                .isInstanceOf(IndexReading.Refused.class);
    }

    /** Positive control: git writes elsewhere what a refused index names. */
    @ParameterizedTest
    @ValueSource(
            strings = {"%o/absolute", "../above", "zz/../../above", ".git/hooks/post-checkout", "zz/../.git/config"})
    void gitWritesElsewhereFromRefusedIndex(String name) throws Exception {
        Path worktree = worktree(HashFormat.SHA_1);
        GitReferee.shell(worktree, "mkdir zz");
        IndexBuilder index = new IndexBuilder();
        index.object = object(HashFormat.SHA_1);
        index.entries.add(
                Entry.of(name.replace("%o", worktree.resolveSibling("outside").toString()), 0100755));
        Map<String, String> before = outside(worktree);
        assertThat(verify(HashFormat.SHA_1, index.build(), Optional.empty())).isInstanceOf(IndexReading.Refused.class);

        Files.write(worktree.resolve(".git/index"), index.build());
        GitReferee.run(worktree, "git", "checkout", ".");

        assertThat(outside(worktree)).isNotEqualTo(before);
    }

    private void install(Path worktree, byte[] index, Optional<IndexBuilder> shared) throws Exception {
        GitReferee.shell(
                worktree, "find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +; rm -f .git/sharedindex.*");
        Files.write(worktree.resolve(".git/index"), index);
        if (shared.isPresent()) {
            byte[] bytes = shared.get().build();
            Files.write(worktree.resolve(".git/sharedindex." + shared.get().checksum(bytes)), bytes);
        }
    }

    private static void checkOut(Path worktree) throws Exception {
        GitReferee.run(worktree, "git", "checkout-index", "-a", "-f");
        GitReferee.run(worktree, "git", "checkout", ".");
    }

    private static IndexReading verify(HashFormat format, byte[] index, Optional<IndexBuilder> shared) {
        return IndexVerifier.verify(
                index,
                format,
                name -> shared.map(IndexBuilder::build)
                        .filter(bytes -> shared.get().checksum(bytes).equals(name)),
                ObeyedNames.NONE);
    }

    /** Returns all files outside the worktree, and those of its git directory that git does not rewrite. */
    private static Map<String, String> outside(Path worktree) throws IOException {
        Map<String, String> files = new TreeMap<>();
        Path outer = worktree.resolveSibling("");
        add(outer.resolveSibling(""), 2, files);
        add(outer.resolve("outside"), Integer.MAX_VALUE, files);
        add(worktree.resolve(".git"), Integer.MAX_VALUE, files);
        files.keySet().removeIf(file -> file.contains("/.git/objects/") || file.contains("index"));
        return files;
    }

    private static void add(Path directory, int depth, Map<String, String> files) throws IOException {
        try (Stream<Path> all = Files.walk(directory, depth)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                boolean file = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
                files.put(path.toString(), file ? Files.readString(path, ISO_8859_1) : "");
            }
        }
    }
}
