package dev.paddock.benchmarks.remote;

import dev.paddock.benchmarks.measure.Script;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;

/** Reads the API server's own figures, which {@code kubectl} gets with the rights of an administrator. */
record ApiServer(Script scripts) {

    /**
     * What the API server has counted.
     *
     * @param nanos when
     * @param cpuSeconds of processor time, since its start
     * @param requests that it has answered; connections that stay open count when they end
     * @param writes of etcd
     * @param streams open connections of exec and attach
     * @param watches open watches of pods
     */
    record Counts(long nanos, double cpuSeconds, double requests, double writes, double streams, double watches) {
        double seconds(Counts before) {
            return (nanos - before.nanos) / 1e9;
        }
    }

    static ApiServer of(Path directory) {
        return new ApiServer(new Script(directory, Map.of()));
    }

    Counts read() throws IOException {
        String metrics = scripts.run("kubectl get --raw /metrics");
        return new Counts(
                System.nanoTime(),
                sum(metrics, line -> line.startsWith("process_cpu_seconds_total ")),
                sum(metrics, line -> line.startsWith("apiserver_request_total{")),
                sum(
                        metrics,
                        line -> line.startsWith("etcd_request_duration_seconds_count{")
                                && line.matches(".*operation=\"(create|update|delete)\".*")),
                sum(
                        metrics,
                        line -> line.startsWith("apiserver_longrunning_gauge{")
                                && line.matches(".*subresource=\"(exec|attach)\".*")),
                sum(
                        metrics,
                        line -> line.startsWith("apiserver_longrunning_gauge{")
                                && line.contains("resource=\"pods\"")
                                && line.contains("verb=\"WATCH\"")));
    }

    private static double sum(String metrics, Predicate<String> wanted) {
        return metrics.lines()
                .filter(wanted)
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
