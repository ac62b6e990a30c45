using System.Globalization;

namespace Mux.Tool.Commands;

/// <summary>A share on the command line, in percent: 3%.</summary>
/// <param name="Value">From 0 to 1.</param>
internal readonly record struct Share(double Value)
{
    public static bool TryParse(string text, out Share share)
    {
        bool isShare = text.EndsWith('%') &
            double.TryParse(text.AsSpan(0, Math.Max(0, text.Length - 1)), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double percent);
        share = new Share(isShare ? percent / 100 : 0);
        return isShare;
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{100 * Value:0.####}%");
}
