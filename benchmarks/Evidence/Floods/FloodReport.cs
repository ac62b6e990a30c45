using System.Globalization;

namespace Evidence.Floods;

/// <summary>What a hostile process says when it ends: one line.</summary>
/// <param name="Cuts">How often it was cut off.</param>
/// <param name="Median">Milliseconds that the connections lived that were cut off; 0 if none was.</param>
/// <param name="Longest">Milliseconds of the one that lived longest, the last one included: that it would ever be cut off is not known.</param>
/// <param name="Frames">Frames, or groups of frames, that it sent.</param>
internal readonly record struct FloodReport(int Cuts, double Median, double Longest, long Frames)
{
    public static FloodReport Parse(string line) => line.Split(' ') is [var cuts, var median, var longest, var frames]
        ? new(int.Parse(cuts, CultureInfo.InvariantCulture), NumberOf(median), NumberOf(longest), long.Parse(frames, CultureInfo.InvariantCulture))
        : throw new EvidenceException($"The hostile process said '{line}'.");

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Cuts} {Median:F1} {Longest:F1} {Frames}");

    private static double NumberOf(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
