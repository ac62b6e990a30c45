using System.Buffers.Binary;
using System.Diagnostics;

namespace Evidence.Groups;

/// <summary>The other process: calls its group when it is asked to, until its standard input ends.</summary>
internal static class GroupServer
{
    public const int NewsLength = 64;

    public static void Serve(int mostConnections)
    {
        var host = new Host();
        var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", MaxConnections = mostConnections + 16 }).AddService<IGroupHost>(host);
        host.Server = server;
        server.Start();
        Console.WriteLine(server.Address);
        Console.In.ReadToEnd();
        Environment.Exit(0);
    }

    private sealed class Host : IGroupHost
    {
        /// <summary>Calls that members may not have answered on average: far from what they allow.</summary>
        private const int Ahead = 64;

        private const int CallsPerLook = 16;

        private readonly MuxGroup<IMember> _group = new();

        public MuxServer? Server { get; set; }

        public ValueTask<int> Gather(MuxCallOptions? options = null, CancellationToken cancellationToken = default)
        {
            foreach (var peer in Server!.Peers.Where(peer => peer != options!.Caller)) _group.Add(peer);
            return new(_group.Count);
        }

        public async ValueTask<GroupUsage> Call(double seconds, int perSecond, CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            var (before, statistics) = (_group.GetStatistics(), Server!.GetStatistics());
            var (bytes, processor) = (GC.GetTotalAllocatedBytes(), Environment.CpuUsage.TotalTime);
            var watch = Stopwatch.StartNew();
            var inCalls = perSecond == 0 ? CallAll(watch, seconds, before, statistics.FramesReceived) : await CallEvenlyAsync(watch, seconds, perSecond).ConfigureAwait(false);
            double elapsed = watch.Elapsed.TotalSeconds;
            var after = _group.GetStatistics();
            return new GroupUsage
            {
                Calls = after.Calls - before.Calls,
                Delivered = after.Delivered - before.Delivered,
                Missed = after.Missed - before.Missed,
                Sends = Server.GetStatistics().Sends - statistics.Sends,
                Bytes = GC.GetTotalAllocatedBytes() - bytes,
                ProcessorMicroseconds = (Environment.CpuUsage.TotalTime - processor).TotalMicroseconds,
                Seconds = elapsed,
                CallMicroseconds = inCalls.TotalMicroseconds,
            };
        }

        private TimeSpan CallAll(Stopwatch watch, double seconds, MuxGroupStatistics before, long answersBefore)
        {
            var inCalls = TimeSpan.Zero;
            int members = _group.Count;
            while (watch.Elapsed.TotalSeconds < seconds)
            {
                for (int i = 0; i < CallsPerLook; i++) inCalls += CallOnce(); // a look sums the counts of all connections
                long behind = _group.GetStatistics().Delivered - before.Delivered - (Server!.GetStatistics().FramesReceived - answersBefore);
                if (behind > Ahead * members) Thread.Sleep(1);
            }

            return inCalls;
        }

        private async Task<TimeSpan> CallEvenlyAsync(Stopwatch watch, double seconds, int perSecond)
        {
            var inCalls = TimeSpan.Zero;
            for (int made = 0; watch.Elapsed.TotalSeconds < seconds; made++)
            {
                var left = TimeSpan.FromSeconds((double)made / perSecond) - watch.Elapsed;
                if (left > TimeSpan.Zero) await Task.Delay(left).ConfigureAwait(false);
                inCalls += CallOnce();
            }

            return inCalls;
        }

        private TimeSpan CallOnce()
        {
            byte[] news = new byte[NewsLength];
            long now = Stopwatch.GetTimestamp();
            BinaryPrimitives.WriteInt64LittleEndian(news, now);
            if (!_group.All.Hear(news).IsCompletedSuccessfully) throw new EvidenceException("A call of the group was not complete at once.");
            return Stopwatch.GetElapsedTime(now);
        }
    }
}
