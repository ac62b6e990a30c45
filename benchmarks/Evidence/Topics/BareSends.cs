using System.Globalization;
using Evidence.Programs;

namespace Evidence.Topics;

/// <summary>How soon the last of many connections has an item that a program in C sends to one after the other: what the kernel makes of it.</summary>
internal static class BareSends
{
    private static readonly string? s_path = CProgram.Compile("bare-sender");

    /// <returns>What the receivers have counted in each round, with the processor time per send; empty if there is no compiler.</returns>
    public static async Task<List<(FrameCounts Counts, double Sender, double Receivers)>> MeasureAsync(int connections, int rounds, int perSecond, double seconds)
    {
        if (s_path is null) return [];
        using var sender = CProgram.Start(s_path, [Text(connections), Text(FeedServer.ItemLength), Text(perSecond)]);
        int port = int.Parse((await sender.StandardOutput.ReadLineAsync())!, CultureInfo.InvariantCulture);
        var measured = new List<(FrameCounts, double, double)>();
        using (var readers = await FrameCounter.StartAsync(port, connections, isStuck: false, FeedServer.ItemLength, hello: [0]))
        {
            int items = (int)(perSecond * seconds);
            for (int round = 0; round < rounds; round++)
            {
                var before = await readers.CountAsync();
                await sender.StandardInput.WriteLineAsync(Text(items));
                double processor = double.Parse(await sender.StandardOutput.ReadLineAsync() ?? throw new EvidenceException("The sender has ended: see above."), CultureInfo.InvariantCulture);
                var after = await readers.CountAsync();
                measured.Add((after, processor, (after.ProcessorMicroseconds - before.ProcessorMicroseconds) / items / connections));
            }
        }

        sender.StandardInput.Close();
        await sender.WaitForExitAsync();
        return measured;
    }

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
