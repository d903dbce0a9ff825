package dev.paddock.executor.tck.jvm;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The child JVM's side of {@link OrdinaryUser}: runs the test classes and reports their failures.
 */
final class OrdinaryUserRun {
    static final String ALL_PASSED = "all passed";

    private static final int SHOWN_STACK = 5;

    private OrdinaryUserRun() {}

    /**
     * Runs test classes.
     *
     * @param arguments the file for the report, and the classes' names
     */
    public static void main(String[] arguments) throws IOException {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(arguments)
                        .skip(1)
                        .map(DiscoverySelectors::selectClass)
                        .toList())
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        boolean passed = summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0;
        StringWriter failures = new StringWriter();
        summary.printTo(new PrintWriter(failures));
        summary.printFailuresTo(new PrintWriter(failures), SHOWN_STACK);
        Files.writeString(Path.of(arguments[0]), passed ? ALL_PASSED : failures.toString());
        System.exit(0);
    }
}
