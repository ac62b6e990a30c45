using System.Collections;
using System.Globalization;

namespace Mux.Proto.Tests.Messages;

/// <summary>Objects of imported types as text, which is equal if they mean the same.</summary>
internal static class ObjectText
{
    public static string Of(object? value) => value switch
    {
        null => "null",
        string text => $"'{text}'",
        byte[] bytes => Convert.ToHexString(bytes),
        double or float => ((IFormattable)value).ToString("R", CultureInfo.InvariantCulture),
        DateTime time => time.Ticks.ToString(CultureInfo.InvariantCulture),
        IDictionary map => $"{{{string.Join(", ", map.Cast<object>().Select(PairOf).Order(StringComparer.Ordinal))}}}",
        IList list => $"[{string.Join(", ", list.Cast<object>().Select(Of))}]",
        Enum => ((IFormattable)value).ToString("D", null),
        IFormattable or bool => Convert.ToString(value, CultureInfo.InvariantCulture)!,
        _ => $"({string.Join(", ", ImportedMembers.Of(value.GetType()).Select(member => $"{member.Number}: {Of(member.Property.GetValue(value))}"))})",
    };

    private static string PairOf(object pair)
    {
        var type = pair.GetType();
        return $"{Of(type.GetProperty("Key")!.GetValue(pair))}: {Of(type.GetProperty("Value")!.GetValue(pair))}";
    }
}
