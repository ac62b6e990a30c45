using System.Globalization;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Reading;

/// <summary>Converts [DefaultValue] to a C# expression of a Guid, decimal, date or span: from a string, and for decimal from a number.</summary>
internal static class FrameworkDefault
{
    /// <summary>Gets the expression; null if the constant is not valid. protobuf-net has no defaults for days and times.</summary>
    public static string? ToCode(object constant, FrameworkModel value) => value.Form switch
    {
        FrameworkForm.BclGuid or FrameworkForm.GuidText or FrameworkForm.GuidBytes => ToGuid(constant as string),
        FrameworkForm.BclDecimal or FrameworkForm.DecimalText => ToDecimal(constant),
        FrameworkForm.BclDateTime or FrameworkForm.Timestamp => ToDateTime(constant as string),
        FrameworkForm.BclTimeSpan or FrameworkForm.Duration => ToTimeSpan(constant as string),
        _ => null,
    };

    private static string? ToGuid(string? text)
    {
        return Guid.TryParse(text, out var value) ? $"new global::System.Guid({value.ToString("X").Replace("{", string.Empty).Replace("}", string.Empty)})"
            : null;
    }

    private static string? ToDecimal(object constant)
    {
        try
        {
            decimal value = constant is string text
                ? decimal.Parse(text, NumberStyles.Any, CultureInfo.InvariantCulture)
                : Convert.ToDecimal(constant, CultureInfo.InvariantCulture);
            return value.ToString(CultureInfo.InvariantCulture) + "M";
        }
        catch (Exception exception) when (exception is InvalidCastException or FormatException or OverflowException)
        {
            return null;
        }
    }

    // A date that depends on the place or time of reading is not valid: with an offset it becomes local time, without a day it means today.
    private static string? ToDateTime(string? text)
    {
        var invariant = CultureInfo.InvariantCulture;
        if (!DateTime.TryParse(text, invariant, DateTimeStyles.NoCurrentDateDefault, out var value) || value.Kind != DateTimeKind.Unspecified) return null;
        return DateTime.TryParse(text, invariant, DateTimeStyles.None, out var today)
            && today == value ? $"new global::System.DateTime({Ticks(value.Ticks)})" : null;
    }

    private static string? ToTimeSpan(string? text)
    {
        return TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out var value) ? $"new global::System.TimeSpan({Ticks(value.Ticks)})" : null;
    }

    private static string Ticks(long ticks) => ticks == long.MinValue ? "long.MinValue" : ticks.ToString(CultureInfo.InvariantCulture) + "L";
}
