using System.Diagnostics;
using System.Globalization;

namespace Mux.Benchmarks.Codec;

/// <summary>
/// Measures two codecs in turns of tens of microseconds in one process: what else the machine does hits both alike, and the least of many short
/// turns is undisturbed. The order within a pair changes from pair to pair.
/// </summary>
public static class PairedRuns
{
    private const int Pairs = 1000;
    private const int WarmUpMilliseconds = 400; // tier 1 comes 100 ms after the last new method's 30th call
    private const double TurnMicroseconds = 40;

    /// <summary>Measures every pair of loops that have the same name and prints a line for each, in nanoseconds per message.</summary>
    public static void Print(IReadOnlyList<CodecLoop> first, IReadOnlyList<CodecLoop> second, TextWriter output)
    {
        output.WriteLine("message            | A min | A median | B min | B median | B/A min | B/A median");
        foreach (var a in first)
        {
            if (second.FirstOrDefault(loop => loop.Name == a.Name) is { } b) Measure(a, b, output);
        }
    }

    /// <summary>The median of the pairs' ratios, second to first.</summary>
    public static double Ratio(CodecLoop first, CodecLoop second) => Measure(first, second).Ratios[Pairs / 2];

    private static void Measure(CodecLoop a, CodecLoop b, TextWriter output)
    {
        var (timesA, timesB, ratios) = Measure(a, b);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{a.Name,-18} | {timesA[0],5:F2} | {timesA[Pairs / 2],8:F2} | {timesB[0],5:F2} | {timesB[Pairs / 2],8:F2} | {timesB[0] / timesA[0],7:F3} | {ratios[Pairs / 2],10:F3}"));
    }

    /// <returns>All of them sorted.</returns>
    private static (double[] TimesA, double[] TimesB, double[] Ratios) Measure(CodecLoop a, CodecLoop b)
    {
        int countA = WarmUp(a);
        int countB = WarmUp(b);
        var timesA = new double[Pairs];
        var timesB = new double[Pairs];
        for (int i = 0; i < Pairs; i++)
        {
            if ((i & 1) == 0) timesA[i] = Time(a, countA);
            timesB[i] = Time(b, countB);
            if ((i & 1) != 0) timesA[i] = Time(a, countA);
        }

        var ratios = timesB.Zip(timesA, static (timeB, timeA) => timeB / timeA).Order().ToArray();
        Array.Sort(timesA);
        Array.Sort(timesB);
        return (timesA, timesB, ratios);
    }

    /// <returns>How many messages make a turn.</returns>
    private static int WarmUp(CodecLoop loop)
    {
        for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start).TotalMilliseconds < WarmUpMilliseconds;) Time(loop, 100);
        int count = CountOf(Time(loop, 100));
        return CountOf(Enumerable.Range(0, 20).Min(_ => Time(loop, count)));

        // No message takes less than a nanosecond; the clock of a virtual machine may say so, and a turn would then not end.
        static int CountOf(double nanoseconds) => Math.Max(1, (int)(TurnMicroseconds * 1000 / Math.Max(1, nanoseconds)));
    }

    /// <returns>Nanoseconds per message.</returns>
    private static double Time(CodecLoop loop, int count)
    {
        long start = Stopwatch.GetTimestamp();
        loop.Run(count);
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / count;
    }
}
