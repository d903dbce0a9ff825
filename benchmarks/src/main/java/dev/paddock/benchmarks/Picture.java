package dev.paddock.benchmarks;

import java.util.List;
import java.util.Locale;

/** The figures of one command as bars in an SVG, p50 filled, p95 as a line beyond. */
final class Picture {
    private static final int LABEL = 230;
    private static final int BARS = 480;
    private static final int LINE = 26;
    private static final int TOP = 46;

    /** Beyond so many times the plain row's figure a bar is cut off, or it would hide all others. */
    private static final double WIDEST = 6;

    private Picture() {}

    static String of(String command, List<Report.Figures> rows, double plain) {
        StringBuilder svg = new StringBuilder();
        int height = TOP + rows.size() * LINE + 14;
        int width = LABEL + BARS + 110;
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                        + "font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
                width,
                height));
        text(svg, 12, 24, "start", "#222", escape(command) + ": ms from call to exit, p50 (line: p95)");
        double scale = BARS / WIDEST / plain;
        int y = TOP;
        for (Report.Figures row : rows) {
            double bar = Math.min(BARS, row.p50() * scale);
            double whisker = Math.min(BARS, row.p95() * scale);
            String colour = row.row().contains("plain")
                            || row.label().contains("client")
                            || row.row().endsWith("bare")
                    ? "#9aa4b2"
                    : "#2f7d5b";
            text(svg, LABEL - 8, y + 16, "end", "#222", escape(row.label()));
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"%s\"/>%n",
                    LABEL,
                    y + 3,
                    bar,
                    colour));
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#222\"/>%n",
                    LABEL + bar,
                    y + 11,
                    LABEL + whisker,
                    y + 11));
            text(
                    svg,
                    LABEL + (int) whisker + 6,
                    y + 16,
                    "start",
                    "#222",
                    String.format(Locale.ROOT, "%.2f  (%.2f×)", row.p50(), row.ratio()));
            y += LINE;
        }
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%1$.1f\" y1=\"%2$d\" x2=\"%1$.1f\" y2=\"%3$d\" stroke=\"#c33\" stroke-dasharray=\"4 3\"/>%n",
                LABEL + plain * scale,
                TOP - 4,
                y + 2));
        return svg.append("</svg>\n").toString();
    }

    private static void text(StringBuilder svg, int x, int y, String anchor, String colour, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                colour,
                text));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
