package dev.paddock.architecture;

import dev.paddock.executor.annotation.Api;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Renders the part of a type that other modules can use, one line for the type and one for each
 * member.
 */
final class ApiText {
    private static final int VISIBLE = Modifier.PUBLIC | Modifier.PROTECTED;

    private ApiText() {}

    /** Returns whether other modules can use the type, if its package is exported. */
    static boolean isApi(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return isVisible(type.getModifiers())
                && !type.isAnonymousClass()
                && statusOf(type).filter(Api.Status.INTERNAL::equals).isEmpty()
                && (outer == null || isApi(outer));
    }

    private static Optional<Api.Status> statusOf(Class<?> type) {
        return Optional.ofNullable(type.getAnnotation(Api.class)).map(Api::status);
    }

    static NavigableSet<String> of(Class<?> type) {
        NavigableSet<String> lines = new TreeSet<>();
        lines.add(type.getName() + " = " + head(type));
        declaring(type).flatMap(ApiText::members).forEach(member -> lines.add(type.getName() + " : " + member));
        return lines;
    }

    /**
     * Returns the type and its superclasses that are not visible themselves: their visible members
     * are inherited.
     */
    private static Stream<Class<?>> declaring(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        boolean hidden = parent != null && !isVisible(parent.getModifiers());
        return Stream.concat(Stream.of(type), hidden ? declaring(Objects.requireNonNull(parent)) : Stream.empty());
    }

    private static String head(Class<?> type) {
        String kind = type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        int flags = type.getModifiers() & ~Modifier.INTERFACE & (type.isInterface() ? ~Modifier.ABSTRACT : ~0);
        return Stream.of(
                        Stream.of(Modifier.toString(flags), kind),
                        list("", type.getTypeParameters()),
                        Stream.ofNullable(type.getGenericSuperclass()).map(parent -> "extends " + parent.getTypeName()),
                        list("implements ", type.getGenericInterfaces()),
                        type.isSealed() ? list("permits ", type.getPermittedSubclasses()) : Stream.<String>of(),
                        statusOf(type).stream().map(Object::toString))
                .flatMap(words -> words)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private static Stream<String> list(String prefix, Type[] types) {
        return types.length == 0
                ? Stream.empty()
                : Stream.of(prefix + Arrays.stream(types).map(Type::getTypeName).collect(Collectors.joining(", ")));
    }

    private static Stream<String> members(Class<?> type) {
        Stream<Member> members = Stream.of(
                        type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
                .flatMap(Arrays::<Member>stream);
        return members.filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .map(ApiText::text)
                .map(text -> text.replace(type.getName() + ".", ""));
    }

    private static String text(Member member) {
        return switch (member) {
            case Field field -> field.toGenericString();
            case Constructor<?> constructor -> constructor.toGenericString();
            case Method method -> method.toGenericString();
            default -> throw new AssertionError("neither a field nor a constructor nor a method: " + member);
        };
    }

    private static boolean isVisible(int modifiers) {
        return (modifiers & VISIBLE) != 0;
    }
}
