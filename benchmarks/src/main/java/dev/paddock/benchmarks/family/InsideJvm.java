package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Table;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures code paths inside the JVM with JMH, in a separate JVM. */
final class InsideJvm implements Family {

    @Override
    public String name() {
        return "jvm";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(name(), "inside the JVM, microseconds each", "mean", "error, 99.9 %");
        try {
            for (RunResult result : new Runner(options(scope).build()).run()) {
                String method = result.getPrimaryResult().getLabel();
                table.add(
                        method,
                        JvmBenchmarks.LABELS.getOrDefault(method, method),
                        Math.toIntExact(result.getPrimaryResult().getSampleCount()),
                        List.of(
                                result.getPrimaryResult().getScore(),
                                result.getPrimaryResult().getScoreError()));
            }
        } catch (RunnerException fault) {
            table.miss("all of it", String.valueOf(fault.getMessage()));
        }
        return table;
    }

    private static OptionsBuilder options(Scope scope) {
        OptionsBuilder options = new OptionsBuilder();
        options.include(JvmBenchmarks.class.getName())
                .verbosity(VerboseMode.SILENT)
                .forks(scope.ifQuick(1, 2))
                .warmupIterations(scope.ifQuick(2, 5))
                .warmupTime(TimeValue.milliseconds(500))
                .measurementIterations(scope.ifQuick(3, 8))
                .measurementTime(TimeValue.milliseconds(500))
                .jvmArgsAppend("--enable-native-access=ALL-UNNAMED");
        return options;
    }
}
