using System.Globalization;
using Evidence.Statistics;

namespace SideBySide.Reporting;

/// <summary>Figures with as many digits as they deserve.</summary>
internal static class FigureText
{
    /// <summary>At least two digits, and none behind the point from 100 on.</summary>
    public static string Of(double value) => value.ToString(FormatFor(value), CultureInfo.InvariantCulture);

    /// <summary>With its interval, if there is one, all with the digits of the median.</summary>
    public static string Of(Estimate value)
    {
        var format = FormatFor(value.Median);
        return value.Low == value.High ? In(value.Median) : string.Create(CultureInfo.InvariantCulture, $"{In(value.Median)} ({In(value.Low)} to {In(value.High)})");

        string In(double number) => number.ToString(format, CultureInfo.InvariantCulture);
    }

    private static string FormatFor(double value) => Math.Abs(value) switch
    {
        >= 100 => "N0",
        >= 10 => "N1",
        _ => "N2",
    };
}
