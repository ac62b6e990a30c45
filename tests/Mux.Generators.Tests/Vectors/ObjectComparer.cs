using System.Collections;
using System.Reflection;

namespace Mux.Generators.Tests.Vectors;

/// <summary>Compares objects by all of their fields: bits of floating-point numbers, scales of decimals, ticks and kinds of dates, null against empty, lists and memory by content.</summary>
internal static class ObjectComparer
{
    /// <summary>Where the two differ first; null if they are equal.</summary>
    public static string? Difference(object? expected, object? actual, string path = "value")
    {
        if (expected is null || actual is null) return Equals(expected, actual) ? null : $"{path}: {Show(expected)} and {Show(actual)}";
        if (MemoryOf(expected) is { } memory && MemoryOf(actual) is { } other) return ItemsDifference(memory, other, path);
        if (expected is IEnumerable expectedItems and not string) return ItemsDifference(expectedItems, (IEnumerable)actual, path);
        if (expected.GetType() != actual.GetType()) return $"{path}: {expected.GetType()} and {actual.GetType()}";

        bool? same = expected switch
        {
            float number => BitConverter.SingleToInt32Bits(number) == BitConverter.SingleToInt32Bits((float)actual),
            double number => BitConverter.DoubleToInt64Bits(number) == BitConverter.DoubleToInt64Bits((double)actual),
            decimal number => decimal.GetBits(number).SequenceEqual(decimal.GetBits((decimal)actual)),
            DateTime time => time.Ticks == ((DateTime)actual).Ticks && time.Kind == ((DateTime)actual).Kind,
            Uri uri => uri.OriginalString == ((Uri)actual).OriginalString,
            string or Enum or nint or nuint or Guid or TimeSpan or DateOnly or TimeOnly => expected.Equals(actual),
            _ when expected.GetType().IsPrimitive => expected.Equals(actual),
            _ => null,
        };
        if (same is { } known) return known ? null : $"{path}: {Show(expected)} and {Show(actual)}";

        return expected.GetType().GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
            .Select(field => Difference(field.GetValue(expected), field.GetValue(actual), $"{path}.{field.Name}"))
            .FirstOrDefault(static difference => difference is not null);
    }

    private static byte[]? MemoryOf(object value) => value switch
    {
        Memory<byte> memory => memory.ToArray(),
        ReadOnlyMemory<byte> memory => memory.ToArray(),
        ArraySegment<byte> segment => [.. segment.AsSpan()],
        _ => null,
    };

    private static string? ItemsDifference(IEnumerable expected, IEnumerable actual, string path)
    {
        var left = ItemsOf(expected);
        var right = ItemsOf(actual);
        if (left is null || right is null) return left == right ? null : $"{path}: a default array and one that is none";
        if (left.Count != right.Count) return $"{path}: {left.Count} and {right.Count} items";
        if (HasNoOrder(expected)) return left.TrueForAll(item => right.Exists(other => Difference(item, other) is null)) ? null : $"{path}: other items";
        return left.Select((item, i) => Difference(item, right[i], $"{path}[{i}]")).FirstOrDefault(static difference => difference is not null);
    }

    // A default ImmutableArray says nothing of its items.
    private static List<object?>? ItemsOf(IEnumerable items) =>
        items.GetType().GetProperty("IsDefault")?.GetValue(items) is true ? null : [.. items.Cast<object?>()];

    private static bool HasNoOrder(IEnumerable items) => Array.Exists(
        items.GetType().GetInterfaces(),
        static type => type.IsGenericType && (type.GetGenericTypeDefinition() == typeof(IReadOnlySet<>) || type.GetGenericTypeDefinition() == typeof(IReadOnlyDictionary<,>)));

    private static string Show(object? value) => value switch
    {
        null => "null",
        string text => $"\"{text}\"",
        DateTime time => $"{time:O} ({time.Kind})",
        _ => value.ToString() ?? string.Empty,
    };
}
