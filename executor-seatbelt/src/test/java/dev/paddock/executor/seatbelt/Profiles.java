package dev.paddock.executor.seatbelt;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.seatbelt.SeatbeltProfile.Surroundings;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Compiles profiles of paths that do not exist: a profile is a function of its arguments and reads
 * no files.
 */
final class Profiles {
    static final String WORKTREE = "/Users/ada/project";
    static final String HOME = "/private/var/folders/zz/0/T/paddock-seatbelt-1/home";
    static final int PROXY_PORT = 49152;
    static final List<String> REFUSED =
            List.of(".envrc", ".git/config", ".git/hooks", ".vscode", "vendor/lib/.envrc", "vendor/lib/.git/hooks");

    private Profiles() {}

    static SandboxPolicy.Builder policy(String worktree) {
        return SandboxPolicy.builder(PathMapping.same(Path.of(worktree)));
    }

    static String of(UnaryOperator<SandboxPolicy.Builder> policy) {
        return SeatbeltProfile.compile(policy.apply(policy(WORKTREE)).build(), around(WORKTREE, List.of(), REFUSED))
                .text();
    }

    /** Returns the profile of the default policy. */
    static String standard() {
        return of(UnaryOperator.identity());
    }

    static String openNetwork() {
        return of(policy -> policy.network(NetworkPolicy.open()));
    }

    /** Returns the profile of allowed hosts whose proxy listens at {@link #PROXY_PORT}. */
    static String allowedHosts() {
        Surroundings around = around(WORKTREE, List.of(), REFUSED);
        return SeatbeltProfile.compile(
                        policy(WORKTREE)
                                .network(NetworkPolicy.allow("example.org"))
                                .build(),
                        new Surroundings(
                                around.worktree(),
                                around.home(),
                                around.gitDirectories(),
                                around.refused(),
                                OptionalInt.of(PROXY_PORT)))
                .text();
    }

    /**
     * Returns the profile of a worktree whose git directory stands elsewhere, and whose path is a
     * link to it.
     */
    static String linked() {
        String git = "/Users/ada/main/.git";
        Surroundings around = around(
                WORKTREE,
                List.of(git),
                List.of(
                        ".git",
                        git + "/HEAD",
                        git + "/config",
                        git + "/hooks",
                        git + "/worktrees/other",
                        git + "/worktrees/project/commondir"));
        return SeatbeltProfile.compile(policy("/Users/ada/link").build(), around)
                .text();
    }

    /** Returns a profile whose paths hold special characters, which must stay part of a string. */
    static String awkward() {
        return of("/Users/ada/it's \"a\" (deny default) \\ ; é\nb[c]*");
    }

    static String of(String worktree) {
        return SeatbeltProfile.compile(policy(worktree).build(), around(worktree, List.of(), List.of(".envrc")))
                .text();
    }

    static Surroundings around(String worktree, List<String> gitDirectories, List<String> refused) {
        Path root = Path.of(worktree);
        return new Surroundings(
                root,
                Path.of(HOME),
                gitDirectories.stream().map(Path::of).toList(),
                refused.stream().map(root::resolve).toList(),
                OptionalInt.empty());
    }

    static Stream<String> all() {
        return Stream.of(standard(), openNetwork(), allowedHosts(), linked(), awkward());
    }
}
