package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how large images are scaled down, and what is not decoded. */
class LargeImageTest extends FileToolTest {
    private static final int WITHOUT_ALPHA = 2;
    private static final int HEIGHT = 20;
    private static final int COLOR_TYPE = 25;

    private ToolResult read(byte[] file) throws IOException {
        Files.write(bench.worktree.resolve("image.png"), file);
        return bench.call("read", "path", "image.png");
    }

    private static byte[] shown(ToolResult result) {
        return Base64.getDecoder().decode(result.images().getFirst().base64());
    }

    @ParameterizedTest
    @CsvSource({
        "2, 8, 0",
        "2, 8, 1",
        "2, 8, 2",
        "2, 8, 3",
        "2, 8, 4",
        "6, 8, 4",
        "6, 16, 1",
        "0, 8, 2",
        "0, 1, 0",
        "3, 4, 0",
        "4, 8, 3"
    })
    void largeImageIsScaledDown(int color, int depth, int filter) throws IOException {
        // Left half dark, right half light.
        byte[] file = TestPng.halves(3_000, 40, color, depth, filter);
        ToolResult result = read(file);
        assertThat(result.text())
                .startsWith("[image.png: image/png, 3000 × 40 pixels, ")
                .endsWith("scaled down to 1568 × 20 pixels]");
        int[][] pixels = TestPng.gray(shown(result));
        assertThat(pixels).hasDimensions(20, 1568);
        for (int y : new int[] {0, 10, 19}) {
            assertThat(pixels[y][3]).isEqualTo(TestPng.DARK);
            assertThat(pixels[y][700]).isEqualTo(TestPng.DARK);
            assertThat(pixels[y][900]).isEqualTo(TestPng.LIGHT);
            assertThat(pixels[y][1567]).isEqualTo(TestPng.LIGHT);
        }
    }

    /** Random bytes, which no filter predicts, and more of them than are inflated at once. */
    @ParameterizedTest
    @CsvSource({"2, 0", "2, 1", "2, 2", "2, 3", "2, 4", "6, 1", "6, 2", "6, 3", "6, 4", "0, 1", "0, 3", "0, 4", "4, 4"})
    void eachPixelIsMeanOfThoseThatItReplaces(int color, int filter) throws IOException {
        int alpha = color == 6 ? 3 : color == 4 ? 1 : -1;
        Random random = new Random(color);
        int[][] first = new int[120][3_136];
        for (int[] row : first) {
            Arrays.setAll(row, x -> random.nextInt(256));
        }
        int[][] means = new int[60][1_568];
        for (int y = 0; y < means.length; y++) {
            int[] upper = first[2 * y];
            int[] lower = first[2 * y + 1];
            Arrays.setAll(means[y], x -> (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]) / 4);
        }
        byte[] file = TestPng.of(
                3_136, 120, color, filter, (x, y, channel) -> channel == alpha ? 255 : first[y][x] + 40 * channel);
        assertThat(TestPng.gray(shown(read(file)))).isDeepEqualTo(means);
    }

    /** Every second row, and below them every second column, is transparent. */
    @Test
    void transparentPixelsHaveNoColor() throws IOException {
        byte[] file = TestPng.of(3_136, 60, 6, 4, (x, y, channel) -> {
            boolean isOpaque = (y < 30 ? y : x) % 2 == 0;
            return channel == 3 ? (isOpaque ? 255 : 0) : isOpaque ? 200 : 40;
        });
        int[][] pixels = TestPng.gray(shown(read(file)));
        assertThat(pixels).hasDimensions(30, 1_568);
        for (int[] row : pixels) {
            assertThat(row).containsOnly(200);
        }
    }

    @Test
    void damagedLargeImageIsGivenAsItIs() throws IOException {
        byte[] file = TestPng.halves(3_000, 40, 2, 8, 0);
        byte[] cut = Arrays.copyOf(file, file.length - 60);
        byte[] withoutLastRows = TestPng.of(3_000, 150, 2, 4, (x, y, channel) -> x + y);
        ByteBuffer.wrap(withoutLastRows).putInt(HEIGHT, 200);
        for (byte[] damaged : List.of(cut, withoutLastRows)) {
            assertThat(read(damaged).images())
                    .extracting(ToolResult.Image::base64)
                    .containsExactly(Base64.getEncoder().encodeToString(damaged));
        }
    }

    /** Its second header claims a size for which there is no memory. */
    @Test
    void onlyHeaderThatWasCheckedCounts() throws IOException {
        byte[] file = TestPng.withSecondHeader(TestPng.halves(2_000, 20, 2, 8, 0), 2_000_000_000);
        assertThat(read(file).text()).contains("scaled down to 1568 × 15 pixels");
    }

    @Test
    void noiseIsHalvedUntilItFits() throws IOException {
        ToolResult result = read(TestPng.picture(2_000, 2_000, true));
        assertThat(result.text()).endsWith("scaled down to 784 × 784 pixels]");
        byte[] shown = shown(result);
        assertThat(shown).hasSizeLessThan(3_750_000);
        assertThat(shown[COLOR_TYPE]).as("opaque").isEqualTo((byte) WITHOUT_ALPHA);
        assertThat(TestPng.gray(shown)).hasDimensions(784, 784);
    }

    @Test
    void transparentImageStaysTransparent() throws IOException {
        byte[] shown = shown(read(TestPng.dark(2_000, 10, 6, 8, 0)));
        assertThat(shown[COLOR_TYPE]).isNotEqualTo((byte) WITHOUT_ALPHA);
    }

    /** Too many pixels, and half a MB packed: 8,000 x 5,000 of 8 bytes, as many as are allowed, are 320 MB. */
    @Test
    @Timeout(60)
    void bombByDimensionsIsNotDecoded() throws IOException {
        byte[] all = TestPng.dark(8_000, 8_000, 0, 8, 0);
        assertThat(all).hasSizeLessThan(1 << 20);
        assertRefused(read(all), "8000 × 8000 pixels; images of 1 to 8000 pixels on each side, and 40000000 in all");

        byte[] half = TestPng.dark(8_000, 5_000, 6, 16, 0);
        assertThat(shown(read(half))).as("as it is").isEqualTo(half);
    }

    @Test
    @Timeout(60)
    void bombByCompressionIsReadNoFurtherThanItsRows() throws IOException {
        byte[] file = TestPng.dark(2_000, 1_000, 2, 8, 1L << 28);
        assertThat(file).hasSizeLessThan(1 << 20);
        assertThat(read(file).text()).endsWith("scaled down to 1568 × 784 pixels]");
    }

    @Test
    @Timeout(60)
    void bombByChunksIsNotDecoded() throws IOException {
        byte[] file = TestPng.halves(2_000, 20, 2, 8, 0);
        assertThat(read(TestPng.withEmptyChunks(file, 1_000)).text()).endsWith("scaled down to 1568 × 15 pixels]");
        byte[] bomb = TestPng.withEmptyChunks(file, 250_000);
        assertThat(shown(read(bomb))).as("as it is").isEqualTo(bomb);
        assertRefused(read(TestPng.withEmptyChunks(file, 2_500_000)), "more than the 3750000 that are shown");
    }
}
