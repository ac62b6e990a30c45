using System.Buffers.Binary;
using System.Diagnostics;
using Evidence.Serving;

namespace Evidence.Topics;

/// <summary>The other process: publishes when it is asked to, until its standard input ends.</summary>
internal static class FeedServer
{
    public const int ItemLength = 64;

    public static void Serve(int mostConnections)
    {
        var feed = new Feed();
        var options = new MuxServerOptions { Address = "mux://127.0.0.1:0", MaxConnections = mostConnections + 16, Transport = EngineChoice.Transport(EngineChoice.All[0]) };
        var server = new MuxServer(options).AddService<IFeed>(feed);
        feed.Server = server;
        server.Start();
        Console.WriteLine(server.Address);
        Console.In.ReadToEnd();
        Environment.Exit(0);
    }

    private sealed class Feed : IFeed
    {
        /// <summary>Items that readers may be behind on average: what they get in the millisecond that the publisher then sleeps, and far from what makes one miss items.</summary>
        private const int Ahead = 64;

        private readonly MuxTopics<int, byte[]> _topics = new(new MuxTopicOptions { Queue = 1_024 });

        public MuxServer? Server { get; set; }

        public IAsyncEnumerable<byte[]> Watch(CancellationToken cancellationToken = default) => _topics.Subscribe(0);

        public ValueTask<int> Subscribers(CancellationToken cancellationToken = default) => new(_topics.GetStatistics().Subscribers);

        public async ValueTask<FeedUsage> Publish(double seconds, int perSecond, int readers, CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            var (before, sends, bytes, processor) = (_topics.GetStatistics(), Server!.GetStatistics().Sends, GC.GetTotalAllocatedBytes(), Environment.CpuUsage.TotalTime);
            var watch = Stopwatch.StartNew();
            if (perSecond == 0) PublishAll(watch, seconds, readers, before);
            else await PublishEvenlyAsync(watch, seconds, perSecond).ConfigureAwait(false);
            double elapsed = watch.Elapsed.TotalSeconds;
            var after = _topics.GetStatistics();
            return new FeedUsage
            {
                Published = after.Published - before.Published,
                Encoded = after.Encoded - before.Encoded,
                Delivered = after.Delivered - before.Delivered,
                Missed = after.Missed - before.Missed,
                Sends = Server.GetStatistics().Sends - sends,
                Bytes = GC.GetTotalAllocatedBytes() - bytes,
                ProcessorMicroseconds = (Environment.CpuUsage.TotalTime - processor).TotalMicroseconds,
                Seconds = elapsed,
                KeptBytes = after.KeptBytes,
            };
        }

        private void PublishAll(Stopwatch watch, double seconds, int readers, MuxTopicStatistics before)
        {
            while (watch.Elapsed.TotalSeconds < seconds)
            {
                var now = _topics.GetStatistics();
                long behind = ((now.Published - before.Published) * readers) - (now.Delivered - before.Delivered);
                if (behind > Ahead * readers) Thread.Sleep(1);
                else PublishOne();
            }
        }

        private async Task PublishEvenlyAsync(Stopwatch watch, double seconds, int perSecond)
        {
            for (int made = 0; watch.Elapsed.TotalSeconds < seconds; made++)
            {
                var left = TimeSpan.FromSeconds((double)made / perSecond) - watch.Elapsed;
                if (left > TimeSpan.Zero) await Task.Delay(left).ConfigureAwait(false);
                PublishOne();
            }
        }

        private void PublishOne()
        {
            byte[] item = new byte[ItemLength];
            BinaryPrimitives.WriteInt64LittleEndian(item, Stopwatch.GetTimestamp());
            _topics.Publish(0, item);
        }
    }
}
