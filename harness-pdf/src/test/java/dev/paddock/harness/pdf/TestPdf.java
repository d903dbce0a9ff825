package dev.paddock.harness.pdf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;

/** PDF files of the tests: plain ones by PDFBox, hostile ones written object by object. */
final class TestPdf {
    static {
        // Where PDFBox keeps its list of the machine's fonts: otherwise in the home.
        System.setProperty("pdfbox.fontcache", "target");
    }

    private TestPdf() {}

    /** Returns a document with a page for each text. */
    static byte[] of(String... pages) throws IOException {
        try (PDDocument pdf = document(pages)) {
            return bytes(pdf);
        }
    }

    static byte[] protectedBy(String password, String page) throws IOException {
        try (PDDocument pdf = document(page)) {
            pdf.protect(new StandardProtectionPolicy("owner", password, new AccessPermission()));
            return bytes(pdf);
        }
    }

    private static PDDocument document(String... pages) throws IOException {
        PDDocument pdf = new PDDocument();
        for (String text : pages) {
            PDPage page = new PDPage();
            pdf.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(pdf, page)) {
                content.beginText();
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                content.newLineAtOffset(72, 700);
                content.showText(text);
                content.endText();
            }
        }
        return pdf;
    }

    private static byte[] bytes(PDDocument pdf) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        pdf.save(bytes);
        return bytes.toByteArray();
    }

    /** Returns a page whose forms draw the next form ten times each, ten levels deep. */
    static byte[] nested() throws IOException {
        int levels = 10;
        List<byte[]> objects = new ArrayList<>();
        objects.add(ascii("<< /Type /Catalog /Pages 2 0 R >>"));
        objects.add(ascii("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"));
        objects.add(ascii("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R"
                + " /Resources << /XObject << /F 5 0 R >> >> >>"));
        objects.add(stream("", ascii("/F Do ".repeat(10))));
        for (int level = 0; level < levels; level++) {
            String next = level + 1 < levels ? " /Resources << /XObject << /F " + (6 + level) + " 0 R >> >>" : "";
            String drawn = level + 1 < levels ? "/F Do ".repeat(10) : "";
            objects.add(stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]" + next, ascii(drawn)));
        }
        return file(objects);
    }

    /** Returns a page with one string of so many megabytes, packed. */
    static byte[] bomb(int megabytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(packed)) {
            byte[] megabyte = ascii("a".repeat(1 << 20));
            out.write(ascii("BT /H 9 Tf ("));
            for (int i = 0; i < megabytes; i++) {
                out.write(megabyte);
            }
        }
        return file(List.of(
                ascii("<< /Type /Catalog /Pages 2 0 R >>"),
                ascii("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
                ascii("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources"
                        + " << /Font << /H << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"),
                stream("/Filter /FlateDecode", packed.toByteArray())));
    }

    private static byte[] file(List<byte[]> objects) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(ascii("%PDF-1.4\n"));
        StringBuilder table = new StringBuilder("0000000000 65535 f \n");
        for (int i = 0; i < objects.size(); i++) {
            table.append("%010d 00000 n \n".formatted(out.size()));
            out.write(ascii((i + 1) + " 0 obj\n"));
            out.write(objects.get(i));
            out.write(ascii("\nendobj\n"));
        }
        int start = out.size();
        int count = objects.size() + 1;
        out.write(ascii("xref\n0 " + count + "\n" + table + "trailer << /Root 1 0 R /Size " + count + " >>\nstartxref\n"
                + start + "\n%%EOF\n"));
        return out.toByteArray();
    }

    private static byte[] stream(String entries, byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(ascii("<< " + entries + " /Length " + content.length + " >>\nstream\n"));
        out.write(content);
        out.write(ascii("\nendstream"));
        return out.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
