package dev.paddock.executor.tck;

import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Subjects;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;
import org.opentest4j.TestAbortedException;

/**
 * Gives each test its {@link ContractContext}, cleans up after it, and reports a failure with its
 * clause, and a skipped test with the reason.
 */
final class ContractExtension implements ParameterResolver, TestExecutionExceptionHandler, TestWatcher {
    private static final Namespace NAMESPACE = Namespace.create(ContractExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType().equals(ContractContext.class);
    }

    /**
     * The stores close their contents: the {@link ContractContext} after its test, the subjects
     * after their class.
     */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Subjects subjects = classContext(context)
                .getStore(NAMESPACE)
                .computeIfAbsent(Subjects.class, key -> quietly(() -> subjects(context)), Subjects.class);
        return context.getStore(NAMESPACE)
                .computeIfAbsent(
                        ContractContext.class,
                        key -> quietly(() -> subjects.context(context.getDisplayName())),
                        ContractContext.class);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable seen) throws Throwable {
        ContractContext contract = context.getStore(NAMESPACE).get(ContractContext.class, ContractContext.class);
        if (contract != null) {
            contract.fail();
        }
        Optional<TestAbortedException> skipped = skipped(seen);
        if (skipped.isPresent()) {
            throw skipped.get();
        }
        String clause = Clause.ofMethod(context.getRequiredTestMethod().getName())
                .map(Clause::words)
                .orElse("the contract");
        throw new AssertionError(clause + " is not kept. Seen: " + described(seen), seen);
    }

    @Override
    public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
        String reason = cause == null ? "" : String.valueOf(cause.getMessage());
        context.publishReportEntry("skipped", reason);
        Subjects subjects = classContext(context).getStore(NAMESPACE).get(Subjects.class, Subjects.class);
        if (subjects != null) {
            subjects.skipped(context.getDisplayName(), reason);
        }
    }

    /** Finds the abort of a subject that cannot be created here; JUnit wraps it as a failed parameter resolution. */
    private static Optional<TestAbortedException> skipped(Throwable seen) {
        Throwable thrown =
                seen instanceof ParameterResolutionException && seen.getCause() != null ? seen.getCause() : seen;
        return thrown instanceof TestAbortedException aborted ? Optional.of(aborted) : Optional.empty();
    }

    private static String described(Throwable seen) {
        return seen instanceof AssertionError ? String.valueOf(seen.getMessage()) : seen.toString();
    }

    private static Subjects subjects(ExtensionContext context) throws IOException {
        CommandExecutorContract implementer = (CommandExecutorContract) context.getRequiredTestInstance();
        return new Subjects(implementer.getClass(), implementer::subject, ContractChild.class);
    }

    private static ExtensionContext classContext(ExtensionContext context) {
        Class<?> testClass = context.getRequiredTestClass();
        ExtensionContext found = context;
        while (!found.getElement().filter(testClass::equals).isPresent()) {
            found = found.getParent().orElseThrow();
        }
        return found;
    }

    private static <T> T quietly(Making<T> making) {
        try {
            return making.make();
        } catch (RuntimeException fault) {
            throw fault;
        } catch (Exception fault) {
            throw new IllegalStateException("the test could not be set up: " + fault.getMessage(), fault);
        }
    }

    private interface Making<T> {
        T make() throws Exception;
    }
}
