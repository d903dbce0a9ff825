package dev.paddock.executor.tck.conformance;

import static dev.paddock.executor.tck.conformance.Expectation.ALLOWED;
import static dev.paddock.executor.tck.conformance.Expectation.DENIED;
import static dev.paddock.executor.tck.conformance.Expectation.KEPT;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.conformance.PolicyCase.Prepared;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The cases of granted files of the host: the worktree, the directories that belong to it, mounts,
 * and nothing else.
 */
final class WorktreeCases {
    private WorktreeCases() {}

    static List<PolicyCase> all() {
        return List.of(
                PolicyCase.of("the defaults", WorktreeCases::defaults),
                PolicyCase.of("worktree at another path", WorktreeCases::mapped),
                PolicyCase.of("worktree with odd letters in its name", WorktreeCases::odd),
                PolicyCase.of("linked worktree", WorktreeCases::linked),
                PolicyCase.of("read-only mount", fixture -> mounted(fixture, Mount.Access.READ_ONLY, DENIED)),
                PolicyCase.of("read-write mount", fixture -> mounted(fixture, Mount.Access.READ_WRITE, ALLOWED)),
                PolicyCase.of("mount of one file", WorktreeCases::file),
                PolicyCase.of("mount at another path", fixture -> elsewhere(fixture, "/opt/paddock-conformance/data")),
                PolicyCase.of("mount over a system directory", fixture -> elsewhere(fixture, "/usr/share")),
                PolicyCase.of(
                        "read-only mount in a read-write one",
                        fixture -> nested(fixture, Mount.Access.READ_WRITE, Mount.Access.READ_ONLY)),
                PolicyCase.of(
                        "read-write mount in a read-only one",
                        fixture -> nested(fixture, Mount.Access.READ_ONLY, Mount.Access.READ_WRITE)),
                PolicyCase.of("hidden files", WorktreeCases::hidden),
                PolicyCase.of("unconfined", WorktreeCases::unconfined),
                PolicyCase.of(
                        "unconfined, read-write mount",
                        fixture -> unconfined(fixture, Mount.Access.READ_WRITE, ALLOWED)),
                PolicyCase.of(
                        "unconfined, read-only mount", fixture -> unconfined(fixture, Mount.Access.READ_ONLY, DENIED)));
    }

    private static Prepared defaults(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        Observations observations = new Observations(fixture)
                .all(worktree, ALLOWED)
                .on(Operation.LINK, worktree, name(fixture.file(worktree.hostPath())), ALLOWED)
                .tightlyClosed(fixture.directory("outside"))
                // Its name starts with the worktree's name.
                .tightlyClosed(fixture.directory("worktree-2"))
                .on(Operation.READ, "/bin/sh", ALLOWED)
                .on(Operation.OPEN, "/usr/bin/env", DENIED)
                .on(Operation.OPEN, "/etc/passwd", DENIED)
                .on(Operation.OPEN, worktree, name(fixture.file(worktree.hostPath())), ALLOWED);
        Optional<Path> atHome = fixture.fileInHome();
        if (atHome.isPresent()) {
            PathMapping home = PathMapping.same(atHome.get());
            observations.on(Operation.READ, home, "", DENIED).on(Operation.WRITE, home, "", DENIED);
        }
        return observations.under(SandboxPolicy.builder(worktree));
    }

    private static Prepared mapped(PolicyFixture fixture) throws IOException {
        Path host = fixture.directory("worktree");
        // The path does not exist on the machine: a backend that maps it wrongly would write there.
        PathMapping worktree = new PathMapping(host, "/worktree-" + UUID.randomUUID());
        return new Observations(fixture)
                .all(worktree, ALLOWED)
                .all(PathMapping.same(host), DENIED)
                .tightlyClosed(fixture.directory("outside"))
                .under(SandboxPolicy.builder(worktree));
    }

    private static Prepared odd(PolicyFixture fixture) throws IOException {
        PathMapping worktree = PathMapping.same(fixture.directory("it's a \"work\\tree\" ($HOME), [#1]; \\1"));
        return new Observations(fixture)
                .all(worktree, ALLOWED)
                .tightlyClosed(fixture.directory("outside"))
                .tightlyClosed(fixture.directory("it"))
                .under(SandboxPolicy.builder(worktree));
    }

    private static Prepared hidden(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        fixture.file(worktree.hostPath(), ".env");
        fixture.file(worktree.hostPath(), "other/.env");
        fixture.file(worktree.hostPath(), "deep/KEY.pem");
        fixture.file(worktree.hostPath(), "secret/inner/file");
        return new Observations(fixture)
                .all(worktree, ALLOWED)
                .on(Operation.READ, worktree, ".env", DENIED)
                .on(Operation.FOLLOW, worktree, ".env", DENIED)
                .on(Operation.RENAME, worktree, ".env", DENIED)
                .on(Operation.REMOVE, worktree, "other/.env", DENIED)
                .on(Operation.READ, worktree, "deep/KEY.pem", DENIED)
                .on(Operation.LIST, worktree, "secret", DENIED)
                .on(Operation.READ, worktree, "secret/inner/file", DENIED)
                .on(Operation.RENAME, worktree, "secret", DENIED)
                .under(SandboxPolicy.builder(worktree).hidden(List.of(".env", "*.pem", "secret")));
    }

    private static Prepared linked(PolicyFixture fixture) throws IOException {
        Path main = fixture.directory("main");
        Path host = fixture.directory("linked");
        fixture.git(main, "init", "-q");
        fixture.git(main, "commit", "-q", "--allow-empty", "-m", "first");
        fixture.git(main, "worktree", "add", "-q", "--force", host.toString());
        PathMapping git = PathMapping.same(main.resolve(".git"));
        PathMapping worktree = PathMapping.same(host);
        fixture.file(git.hostPath(), "hooks/pre-commit");
        fixture.file(git.hostPath(), "worktrees/linked/COMMIT_EDITMSG");
        return new Observations(fixture)
                .on(Operation.COMMIT, "from inside", ALLOWED)
                .all(worktree, ALLOWED)
                .tightlyClosed(main)
                .on(Operation.CREATE, git, "objects/made", ALLOWED)
                .on(Operation.WRITE, git, "worktrees/linked/COMMIT_EDITMSG", ALLOWED)
                .on(Operation.READ, git, "config", ALLOWED)
                .on(Operation.WRITE, git, "config", KEPT)
                .on(Operation.REMOVE, git, "config", KEPT)
                .on(Operation.WRITE, git, "hooks/pre-commit", KEPT)
                .on(Operation.CREATE, git, "hooks/post-commit", KEPT)
                .on(Operation.WRITE, git, "HEAD", KEPT)
                .on(Operation.WRITE, git, "worktrees/linked/commondir", KEPT)
                .on(Operation.WRITE, git, "worktrees/linked/gitdir", KEPT)
                .on(Operation.WRITE, worktree, ".git", KEPT)
                .on(Operation.REMOVE, worktree, ".git", KEPT)
                .under(SandboxPolicy.builder(worktree));
    }

    private static Prepared mounted(PolicyFixture fixture, Mount.Access access, Expectation writing)
            throws IOException {
        PathMapping worktree = fixture.worktree();
        PathMapping data = PathMapping.same(fixture.directory("data"));
        return new Observations(fixture)
                .writing(worktree, ALLOWED)
                .reading(data, ALLOWED)
                .writing(data, writing)
                .closed(fixture.directory("outside"))
                .under(SandboxPolicy.builder(worktree).mount(mount(data, access)));
    }

    private static Prepared file(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        Path directory = fixture.directory("settings");
        PathMapping file = PathMapping.same(fixture.file(directory, "settings.xml"));
        PathMapping beside = PathMapping.same(fixture.file(directory, "settings.xml.old"));
        return new Observations(fixture)
                .writing(worktree, ALLOWED)
                .on(Operation.READ, file, "", ALLOWED)
                .on(Operation.WRITE, file, "", DENIED)
                .on(Operation.REMOVE, file, "", DENIED)
                .on(Operation.READ, beside, "", DENIED)
                .on(Operation.WRITE, beside, "", DENIED)
                .under(SandboxPolicy.builder(worktree).mount(mount(file, Mount.Access.READ_ONLY)));
    }

    private static Prepared elsewhere(PolicyFixture fixture, String target) throws IOException {
        PathMapping worktree = fixture.worktree();
        PathMapping data = new PathMapping(fixture.directory("data"), target);
        return new Observations(fixture)
                .writing(worktree, ALLOWED)
                .reading(data, ALLOWED)
                .writing(data, DENIED)
                .tightlyClosed(data.hostPath())
                .under(SandboxPolicy.builder(worktree).mount(mount(data, Mount.Access.READ_ONLY)));
    }

    private static Prepared nested(PolicyFixture fixture, Mount.Access outer, Mount.Access inner) throws IOException {
        PathMapping worktree = fixture.worktree();
        PathMapping data = PathMapping.same(fixture.directory("data"));
        PathMapping below = PathMapping.same(fixture.directory("data/below/deep"));
        return new Observations(fixture)
                .open(worktree)
                .reading(data, ALLOWED)
                .writing(data, outer == Mount.Access.READ_WRITE ? ALLOWED : DENIED)
                .reading(below, ALLOWED)
                .writing(below, inner == Mount.Access.READ_WRITE ? ALLOWED : DENIED)
                .closed(fixture.directory("outside"))
                // Declared innermost first; the order must not matter.
                .under(SandboxPolicy.builder(worktree)
                        .mount(mount(below, inner))
                        .mount(mount(data, outer)));
    }

    private static Prepared unconfined(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        return new Observations(fixture)
                .open(worktree)
                .closed(fixture.directory("outside"))
                .under(SandboxPolicy.builder(worktree).network(NetworkPolicy.open()), ReachCases.NOT_OF_THE_NETWORK);
    }

    /**
     * A mount is requested by name, so the policy requires it even if it requires nothing else.
     */
    private static Prepared unconfined(PolicyFixture fixture, Mount.Access access, Expectation writing)
            throws IOException {
        PathMapping worktree = fixture.worktree();
        PathMapping data = PathMapping.same(fixture.directory("data"));
        return new Observations(fixture)
                .writing(worktree, ALLOWED)
                .reading(data, ALLOWED)
                .writing(data, writing)
                .under(SandboxPolicy.builder(worktree)
                        .network(NetworkPolicy.open())
                        .mount(mount(data, access)));
    }

    private static Mount mount(PathMapping place, Mount.Access access) {
        return new Mount(place.hostPath(), place.commandPath(), access);
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }
}
