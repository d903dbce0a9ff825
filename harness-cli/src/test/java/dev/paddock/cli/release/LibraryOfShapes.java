package dev.paddock.cli.release;

import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A library and a program that uses a part of it, for {@link UnusedCodeTest}. */
final class LibraryOfShapes {
    private LibraryOfShapes() {}

    interface Shape {
        int area();

        Outline outline();
    }

    static final class Outline {}

    record Square(int side) implements Shape {
        @Override
        public int area() {
            return side * side;
        }

        @Override
        public Outline outline() {
            return new Outline();
        }
    }

    /** Java's sorting calls its comparison, and the program its name by reflection. */
    static final class Bar implements Shape, Comparable<Bar> {
        private final int length;

        Bar(int length) {
            this.length = length;
        }

        static String kind() {
            return "bars";
        }

        @Override
        public int area() {
            return length;
        }

        @Override
        public Outline outline() {
            return new Outline();
        }

        Shape square() {
            return new Square(length);
        }

        @Override
        public int compareTo(Bar other) {
            return length - other.length;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bar bar && bar.length == length;
        }

        @Override
        public int hashCode() {
            return length;
        }
    }

    /** The program. */
    static final class Program implements Supplier<String> {
        @Override
        public String get() {
            try {
                Object kind = Bar.class.getDeclaredMethod("kind").invoke(null);
                return Stream.of(new Bar(3), new Bar(2))
                        .sorted()
                        .map(Shape::area)
                        .map(String::valueOf)
                        .collect(Collectors.joining(", ", kind + " ", ""));
            } catch (ReflectiveOperationException removed) {
                throw new IllegalStateException(removed);
            }
        }
    }
}
