using System.Diagnostics;
using System.Text;
using Mux.TestSupport.Transports;

namespace Mux.TestSupport.Time;

/// <summary>How much longer a reader takes for a line that comes in pieces if the line is longer.</summary>
public static class LineGrowth
{
    /// <summary>So many times as long is the longer line.</summary>
    public const int Times = 64;

    private const int Length = 4 * 1024 * 1024;

    /// <summary>Gets the time for a line of 4 MiB divided by that for a 64th of it.</summary>
    /// <param name="read">Reads the line of a stream, of which it gets the length with its end.</param>
    public static async Task<double> MeasureAsync(Func<Stream, int, Task> read)
    {
        // The least of several, in turns: other work makes some longer.
        double ofShort = double.MaxValue, ofLong = double.MaxValue;
        for (int round = 0; round < 10; round++)
        {
            ofShort = Math.Min(ofShort, await TimeAsync(read, Length / Times));
            ofLong = Math.Min(ofLong, await TimeAsync(read, Length));
        }

        return ofLong / ofShort;
    }

    private static async Task<double> TimeAsync(Func<Stream, int, Task> read, int length)
    {
        var content = Encoding.UTF8.GetBytes(new string('x', length - 1) + "\n");
        long began = Stopwatch.GetTimestamp();
        await read(new PieceStream(content, 1_024), length);
        return Stopwatch.GetElapsedTime(began).TotalMilliseconds;
    }
}
