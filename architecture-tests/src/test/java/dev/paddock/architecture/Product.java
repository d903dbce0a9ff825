package dev.paddock.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;

/** Holds the product's classes, read once. */
final class Product {

    static final String ROOT = "dev.paddock";

    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    private Product() {}

    /**
     * Returns the classes of {@code module}, without those that only carry a package's annotations.
     */
    static List<JavaClass> classesOf(Module module) {
        return CLASSES.stream()
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(type -> Module.of(type).equals(module))
                .toList();
    }
}
