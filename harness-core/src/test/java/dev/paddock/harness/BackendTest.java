package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.model.Model;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Base class of session tests on every backend: each test of a subclass runs once per backend. */
@ParameterizedClass(name = "{0}")
@EnumSource(Backend.class)
abstract class BackendTest extends SessionTest {
    @Parameter
    Backend backend = Backend.HOST;

    private final List<CommandExecutor> executors = new ArrayList<>();

    @Override
    AgentSessionBuilder builder(Model model) {
        return super.builder(model)
                .executor(executor())
                .execCwd(backend.mapping(worktree).commandPath());
    }

    /**
     * Returns a new executor for the worktree, disposed of after the test whether a session has
     * taken it or not.
     */
    CommandExecutor executor() {
        CommandExecutor executor = backend.executor(worktree);
        executors.add(executor);
        return executor;
    }

    @AfterEach
    void disposeOfExecutors() {
        executors.forEach(CommandExecutor::dispose);
    }
}
