using System.Collections;
using System.Reflection;

namespace Mux.Generators.Tests.Vectors;

/// <summary>Compares objects by all of their fields: bits of floating-point numbers, null against empty, lists by content.</summary>
internal static class ObjectComparer
{
    /// <summary>Where the two differ first; null if they are equal.</summary>
    public static string? Difference(object? expected, object? actual, string path = "value")
    {
        if (expected is null || actual is null) return Equals(expected, actual) ? null : $"{path}: {Show(expected)} and {Show(actual)}";
        if (expected is IEnumerable expectedItems and not string) return ItemsDifference(expectedItems, (IEnumerable)actual, path);
        if (expected.GetType() != actual.GetType()) return $"{path}: {expected.GetType()} and {actual.GetType()}";

        bool? same = expected switch
        {
            float number => BitConverter.SingleToInt32Bits(number) == BitConverter.SingleToInt32Bits((float)actual),
            double number => BitConverter.DoubleToInt64Bits(number) == BitConverter.DoubleToInt64Bits((double)actual),
            string or Enum or nint or nuint => expected.Equals(actual),
            _ when expected.GetType().IsPrimitive => expected.Equals(actual),
            _ => null,
        };
        if (same is { } known) return known ? null : $"{path}: {Show(expected)} and {Show(actual)}";

        return expected.GetType().GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
            .Select(field => Difference(field.GetValue(expected), field.GetValue(actual), $"{path}.{field.Name}"))
            .FirstOrDefault(static difference => difference is not null);
    }

    private static string? ItemsDifference(IEnumerable expected, IEnumerable actual, string path)
    {
        var left = expected.Cast<object?>().ToList();
        var right = actual.Cast<object?>().ToList();
        if (left.Count != right.Count) return $"{path}: {left.Count} and {right.Count} items";
        return left.Select((item, i) => Difference(item, right[i], $"{path}[{i}]")).FirstOrDefault(static difference => difference is not null);
    }

    private static string Show(object? value) => value switch
    {
        null => "null",
        string text => $"\"{text}\"",
        _ => value.ToString() ?? string.Empty,
    };
}
