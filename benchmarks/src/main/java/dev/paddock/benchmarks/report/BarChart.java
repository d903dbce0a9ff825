package dev.paddock.benchmarks.report;

import dev.paddock.benchmarks.measure.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Draws figures as bars in an SVG, one panel below the other. */
final class BarChart {
    private static final int LABEL = 270;
    private static final int BARS = 440;
    private static final int LINE = 24;
    private static final int TITLE = 40;
    private static final int WIDTH = LABEL + BARS + 130;

    /**
     * The longest bar, in multiples of the first one: a longer bar is cut off, since it would dwarf
     * all others.
     */
    private static final double WIDEST = 6;

    private final StringBuilder svg = new StringBuilder();
    private int y;

    /**
     * The bars of one table.
     *
     * @param bars the bars; the others are compared with the first
     */
    record Panel(String title, List<Bar> bars) {}

    /**
     * One bar.
     *
     * @param row determines its color: Paddock's, or others'
     * @param whisker where a line beyond the bar ends; NaN if there is none
     */
    record Bar(String row, String label, double value, double whisker) {
        boolean isOurs() {
            return List.of("plain", "bwrap-bare", "docker-exec", "docker-run", "codex", "codex-native", "srt", "cat")
                    .stream()
                    .noneMatch(row::equals);
        }
    }

    private BarChart() {}

    static String of(List<Panel> panels) {
        BarChart picture = new BarChart();
        panels.stream().filter(panel -> !panel.bars().isEmpty()).forEach(picture::draw);
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                                + "font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
                        WIDTH,
                        picture.y + 14)
                + picture.svg
                + "</svg>\n";
    }

    private void draw(Panel panel) {
        text(12, y + 26, "start", panel.title());
        y += TITLE;
        double[] values = panel.bars().stream()
                .mapToDouble(Bar::value)
                .filter(value -> !Double.isNaN(value))
                .toArray();
        double first = values.length == 0 ? 1 : values[0];
        double largest = Arrays.stream(values).max().orElse(1);
        double scale = BARS / Math.max(Double.MIN_NORMAL, Math.min(largest * 1.2, first * WIDEST));
        panel.bars().forEach(bar -> draw(bar, scale));
        y += 8;
    }

    private void draw(Bar bar, double scale) {
        double length = Double.isNaN(bar.value()) ? 0 : Math.clamp(bar.value() * scale, 0, BARS);
        double whisker = Double.isNaN(bar.whisker()) ? length : Math.clamp(bar.whisker() * scale, 0, BARS);
        text(LABEL - 8, y + 15, "end", bar.label());
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"%s\"/>%n",
                LABEL,
                y + 2,
                length,
                bar.isOurs() ? "#2f7d5b" : "#9aa4b2"));
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#222\"/>%n",
                LABEL + length,
                y + 10,
                LABEL + whisker,
                y + 10));
        text(LABEL + (int) Math.max(length, whisker) + 6, y + 15, "start", Table.text(bar.value()));
        y += LINE;
    }

    private void text(int x, int base, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"#222\">%s</text>%n",
                x,
                base,
                anchor,
                escape(text)));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
