package dev.paddock.executor.tck.conformance;

import static dev.paddock.executor.tck.conformance.Expectation.ALLOWED;
import static dev.paddock.executor.tck.conformance.Expectation.KEPT;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.conformance.PolicyCase.Prepared;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The cases of protected paths: files in the worktree that commands must not change. */
final class ProtectionCases {
    private ProtectionCases() {}

    static List<PolicyCase> all() {
        return List.of(
                PolicyCase.of("protected paths", fixture -> standard(fixture, Enforcement.REQUIRED)),
                PolicyCase.of("protected paths, best effort", fixture -> standard(fixture, Enforcement.BEST_EFFORT)),
                PolicyCase.of(
                        "protected paths that do not exist yet", fixture -> absent(fixture, Enforcement.REQUIRED)),
                PolicyCase.of(
                        "protected paths that do not exist yet, best effort",
                        fixture -> absent(fixture, Enforcement.BEST_EFFORT)),
                PolicyCase.of(
                        "protected paths of a nested repository", fixture -> nested(fixture, Enforcement.REQUIRED)),
                PolicyCase.of(
                        "protected paths of a nested repository, best effort",
                        fixture -> nested(fixture, Enforcement.BEST_EFFORT)),
                PolicyCase.of("protected paths of one's own choice", ProtectionCases::chosen),
                PolicyCase.of("no protected paths", ProtectionCases::none));
    }

    private static Prepared standard(PolicyFixture fixture, Enforcement demand) throws IOException {
        PathMapping worktree = fixture.worktree();
        repository(fixture, worktree.hostPath());
        fixture.file(worktree.hostPath(), ".git/description");
        return prepared(
                fixture,
                protectedIn(new Observations(fixture).all(worktree, ALLOWED), worktree)
                        .on(Operation.WRITE, worktree, ".git/description", ALLOWED)
                        .on(Operation.RENAME, worktree, ".git", KEPT),
                worktree,
                demand);
    }

    private static Prepared absent(PolicyFixture fixture, Enforcement demand) throws IOException {
        PathMapping worktree = fixture.worktree();
        fixture.file(worktree.hostPath(), "file");
        return prepared(
                fixture,
                new Observations(fixture)
                        .open(worktree)
                        .on(Operation.CREATE, worktree, fixture.newName(), ALLOWED)
                        .on(Operation.MAKE_DIRECTORY, worktree, fixture.newName(), ALLOWED)
                        .on(Operation.CREATE, worktree, ".envrc", KEPT)
                        .on(Operation.CREATE, worktree, ".mcp.json", KEPT)
                        .on(Operation.MAKE_DIRECTORY, worktree, ".vscode", KEPT),
                worktree,
                demand);
    }

    private static Prepared nested(PolicyFixture fixture, Enforcement demand) throws IOException {
        PathMapping worktree = fixture.worktree();
        Path below = fixture.directory("worktree/deep/inner");
        repository(fixture, below);
        PathMapping inner = PathMapping.same(below);
        return prepared(
                fixture,
                protectedIn(new Observations(fixture).writing(inner, ALLOWED), inner)
                        .on(Operation.RENAME, inner, ".git", KEPT)
                        .on(Operation.RENAME, inner, "", KEPT)
                        .on(Operation.RENAME, worktree, "deep", KEPT),
                worktree,
                demand);
    }

    private static Prepared chosen(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        Path host = worktree.hostPath();
        fixture.file(host, "conf/deploy/run.sh");
        fixture.file(host, "conf/deploy/ordinary");
        fixture.file(host, "scripts/file");
        fixture.file(host, ".envrc");
        // A trailing slash does not circumvent the protection.
        ProtectedPaths paths = ProtectedPaths.of(Set.of("conf/deploy/run.sh", "scripts/"), Enforcement.REQUIRED);
        return new Observations(fixture)
                .writing(worktree, ALLOWED)
                .on(Operation.WRITE, worktree, ".envrc", ALLOWED)
                .on(Operation.WRITE, worktree, "conf/deploy/ordinary", ALLOWED)
                .on(Operation.CREATE, worktree, "conf/deploy/new", ALLOWED)
                .on(Operation.WRITE, worktree, "conf/deploy/run.sh", KEPT)
                .on(Operation.REMOVE, worktree, "conf/deploy/run.sh", KEPT)
                .on(Operation.WRITE, worktree, "scripts/file", KEPT)
                .on(Operation.CREATE, worktree, "scripts/new", KEPT)
                .on(Operation.RENAME, worktree, "scripts", KEPT)
                .on(Operation.RENAME, worktree, "conf/deploy", KEPT)
                .on(Operation.RENAME, worktree, "conf", KEPT)
                .under(SandboxPolicy.builder(worktree).protectedPaths(paths));
    }

    private static Prepared none(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        repository(fixture, worktree.hostPath());
        return new Observations(fixture)
                .open(worktree)
                .on(Operation.WRITE, worktree, ".envrc", ALLOWED)
                .on(Operation.CREATE, worktree, ".mcp.json", ALLOWED)
                .closed(fixture.directory("outside"))
                .under(SandboxPolicy.builder(worktree)
                        .protectedPaths(ProtectedPaths.of(Set.of(), Enforcement.REQUIRED)));
    }

    /** Creates the parts of a repository that protected paths need. */
    private static void repository(PolicyFixture fixture, Path root) throws IOException {
        for (String name : List.of(
                ".git/HEAD",
                ".git/config",
                ".git/hooks/pre-commit",
                ".git/objects/file",
                ".git/refs/heads/main",
                ".envrc",
                ".bashrc",
                ".profile",
                ".vscode/settings.json")) {
            fixture.file(root, name);
        }
    }

    private static Observations protectedIn(Observations observations, PathMapping root) {
        return observations
                .on(Operation.READ, root, ".envrc", ALLOWED)
                .on(Operation.WRITE, root, ".git/config", KEPT)
                .on(Operation.REMOVE, root, ".git/config", KEPT)
                .on(Operation.WRITE, root, ".git/hooks/pre-commit", KEPT)
                .on(Operation.CREATE, root, ".git/hooks/post-commit", KEPT)
                .on(Operation.WRITE, root, ".envrc", KEPT)
                .on(Operation.REMOVE, root, ".bashrc", KEPT)
                .on(Operation.RENAME, root, ".profile", KEPT)
                .on(Operation.WRITE, root, ".vscode/settings.json", KEPT)
                .on(Operation.CREATE, root, ".vscode/tasks.json", KEPT)
                .on(Operation.RENAME, root, ".vscode", KEPT)
                .on(Operation.CREATE, root, ".mcp.json", KEPT);
    }

    private static Prepared prepared(
            PolicyFixture fixture, Observations observations, PathMapping worktree, Enforcement demand)
            throws IOException {
        observations.closed(fixture.directory("outside"));
        SandboxPolicy.Builder policy = SandboxPolicy.builder(worktree)
                .protectedPaths(ProtectedPaths.standard().withDemand(demand));
        return demand == Enforcement.REQUIRED
                ? observations.under(policy)
                : observations.under(policy, Set.of(Guarantee.PROTECTED_PATHS));
    }
}
