package dev.paddock.executor.tck.conformance;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.conformance.PolicyCase.Prepared;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Collects the observations of a case in order; each that changes a file gets its own file.
 */
final class Observations {
    private final PolicyFixture fixture;
    private final List<Observation> collected = new ArrayList<>();

    Observations(PolicyFixture fixture) {
        this.fixture = fixture;
    }

    Observations on(Operation operation, PathMapping place, String name, Expectation expectation) {
        Path host = name.isEmpty() ? place.hostPath() : place.hostPath().resolve(name);
        collected.add(Observation.of(operation, place.toCommand(host).orElseThrow(), host, expectation));
        return this;
    }

    /** Adds an observation of a target that is not one of the host's paths. */
    Observations on(Operation operation, String target, Expectation expectation) {
        collected.add(Observation.of(operation, target, expectation));
        return this;
    }

    Observations reading(PathMapping place, Expectation expectation) throws IOException {
        on(Operation.READ, place, fileIn(place), expectation);
        on(Operation.FOLLOW, place, fileIn(place), expectation);
        return on(Operation.LIST, place, "", expectation);
    }

    Observations writing(PathMapping place, Expectation expectation) throws IOException {
        on(Operation.WRITE, place, fileIn(place), expectation);
        on(Operation.RENAME, place, fileIn(place), expectation);
        on(Operation.REMOVE, place, fileIn(place), expectation);
        on(Operation.CREATE, place, fixture.newName(), expectation);
        return on(Operation.MAKE_DIRECTORY, place, fixture.newName(), expectation);
    }

    Observations all(PathMapping place, Expectation expectation) throws IOException {
        return reading(place, expectation).writing(place, expectation);
    }

    /** Adds the minimum that shows that commands can work in a directory. */
    Observations open(PathMapping place) throws IOException {
        on(Operation.READ, place, fileIn(place), Expectation.ALLOWED);
        return on(Operation.WRITE, place, fileIn(place), Expectation.ALLOWED);
    }

    /** Adds the minimum that shows that a directory is not granted. */
    Observations closed(Path directory) throws IOException {
        PathMapping place = PathMapping.same(directory);
        on(Operation.READ, place, fileIn(place), Expectation.DENIED);
        return on(Operation.WRITE, place, fileIn(place), Expectation.DENIED);
    }

    /** Adds every observation that shows that a directory is not granted. */
    Observations tightlyClosed(Path directory) throws IOException {
        PathMapping place = PathMapping.same(directory);
        return all(place, Expectation.DENIED).on(Operation.LINK, place, fileIn(place), Expectation.DENIED);
    }

    private String fileIn(PathMapping place) throws IOException {
        return fixture.file(place.hostPath()).getFileName().toString();
    }

    /**
     * Combines the observations with the policy under which they are made, which requires all of
     * them.
     */
    Prepared under(SandboxPolicy.Builder policy) {
        return under(policy, Set.of());
    }

    /**
     * Combines the observations with a policy that requests some guarantees on a best-effort basis
     * only.
     */
    Prepared under(SandboxPolicy.Builder policy, Set<Guarantee> notInsistedOn) {
        return new Prepared(
                policy.build(),
                collected.stream()
                        .map(observation -> observation
                                        .guarantee()
                                        .filter(notInsistedOn::contains)
                                        .isPresent()
                                ? observation.asFarAsPossible()
                                : observation)
                        .toList());
    }
}
