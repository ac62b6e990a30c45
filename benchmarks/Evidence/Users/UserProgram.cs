using System.Diagnostics;
using Evidence.Programs;
using Evidence.Serving;
using Seeds.Contracts;

namespace Evidence.Users;

/// <summary>
/// A client as users write it: one channel for all its tasks, each of which awaits one call after the other. The tool has a channel per connection instead.
/// </summary>
internal static class UserProgram
{
    // One count per cache line, each written by its task alone.
    private const int Stride = 16;

    /// <summary>The other process: prints what it makes of a shape after the warm-up.</summary>
    /// <param name="address">Of a server with <see cref="IDirectory"/>.</param>
    /// <param name="shape">As many tasks as there are calls in flight.</param>
    /// <param name="returns">What the methods of the contract return.</param>
    /// <param name="timing">How long.</param>
    public static async Task CallAsync(string address, Shape shape, ReturnKind returns, Timing timing)
    {
        await using var channel = await MuxChannel.ConnectAsync(new MuxChannelOptions
        {
            Address = address,
            MinConnections = shape.Connections,
            MaxConnections = shape.Connections,
            Transport = EngineChoice.Transport(EngineChoice.All[0]),
        });
        var counts = new long[shape.Connections * shape.InFlight * Stride];
        bool isOver = false;
        Func<int, Task> loop = returns == ReturnKind.Task ? LoopOfTasks(channel.CreateProxy<ITaskDirectory>()) : LoopOfValueTasks(channel.CreateProxy<IDirectory>());
        var loops = Task.WhenAll(Enumerable.Range(0, shape.Connections * shape.InFlight).Select(number => Task.Run(() => loop(number))));
        await Task.WhenAny(loops, Task.Delay(TimeSpan.FromSeconds(timing.Warmup)));
        var (calls, statistics, usage, bytes, start) = (Sum(), channel.GetStatistics(), Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(), Stopwatch.GetTimestamp());
        await Task.WhenAny(loops, Task.Delay(TimeSpan.FromSeconds(timing.Seconds)));
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds, made = Sum() - calls;
        var figures = new UserFigures(
            made / seconds,
            (Environment.CpuUsage.TotalTime - usage).TotalMicroseconds / made,
            (GC.GetTotalAllocatedBytes() - bytes) / made,
            made / (channel.GetStatistics().Sends - statistics.Sends));
        Volatile.Write(ref isOver, true);
        await loops; // throws if a call has failed
        Console.WriteLine(figures);

        Func<int, Task> LoopOfTasks(ITaskDirectory directory) => async number =>
        {
            while (!Volatile.Read(ref isOver)) Check(number, await directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = number }));
        };

        Func<int, Task> LoopOfValueTasks(IDirectory directory) => async number =>
        {
            while (!Volatile.Read(ref isOver)) Check(number, await directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = number }));
        };

        void Check(int number, Employee reply)
        {
            if (reply.RequestTime != number || reply.City != "Seattle") throw new EvidenceException($"Task {number} got the reply to {reply.RequestTime}.");
            counts[number * Stride]++;
        }

        long Sum()
        {
            long sum = 0;
            for (int i = 0; i < counts.Length; i += Stride) sum += Volatile.Read(ref counts[i]);
            return sum;
        }
    }
}
