using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Topics;

/// <summary>
/// How old the items of a topic are when a subscriber takes them that reads less than is published, and how much of a burst one gets that reads at once. Both ends are
/// in this process, over loopback.
/// </summary>
internal static class TopicAge
{
    private const int Published = 5_000, Read = 100; // per second
    private const int Burst = 1_000;
    private const double Warmup = 1; // s
    private const double Goal = 100; // ms, of 99 of 100 items of a subscriber that wants the latest

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 3, 1, 100);
        double seconds = options.Seconds("--seconds", 4);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {rounds} rounds of {seconds} s; {Published} items/s of 16 bytes published, {Read}/s read");
        Console.WriteLine();
        Console.WriteLine("| topic | median age of an item when it is taken, ms | p99, ms | oldest, ms | goal | |");
        Console.WriteLine("|---|---|---|---|---|---|");
        bool isMet = true;
        foreach (var (name, topics) in Kinds())
        {
            var ages = new List<double>();
            for (int round = 0; round < rounds; round++) ages.AddRange(await MeasureAgesAsync(topics, seconds));
            ages.Sort();
            double oldest = ages[^1], late = ages[ages.Count * 99 / 100];
            bool wantsLatest = topics.WhenSlow == MuxSlowSubscriber.KeepLatest, isRowMet = !wantsLatest || late <= Goal;
            isMet &= isRowMet;
            var (goal, verdict) = wantsLatest ? ($"<= {Goal}", Verdict.Of(isRowMet)) : ("its queue", string.Empty);
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {name} | {Estimate.MedianOf(ages):F1} | {late:F1} | {oldest:F1} | {goal} | {verdict} |"));
        }

        Console.WriteLine();
        foreach (int queue in (int[])[64, 512, 1_024])
        {
            var got = new List<double>();
            for (int round = 0; round < 10 * rounds; round++) got.Add(await MeasureBurstAsync(queue));
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"Of {Burst} items published in a loop, a subscriber that reads at once gets {Estimate.MedianOf(got):F0} (median), {got.Min():F0} (fewest) with Queue = {queue}."));
        }

        return isMet ? 0 : 1;
    }

    private static IEnumerable<(string Name, MuxTopicOptions Options)> Kinds()
    {
        yield return ("KeepLatest", new MuxTopicOptions { WhenSlow = MuxSlowSubscriber.KeepLatest });
        yield return ("KeepLatest, Queue = 1", new MuxTopicOptions { WhenSlow = MuxSlowSubscriber.KeepLatest, Queue = 1 });
        yield return ("DropOldest, Queue = 1", new MuxTopicOptions { Queue = 1 });
        yield return ("DropOldest, Queue = 64", new MuxTopicOptions { Queue = 64 });
    }

    private static async Task<List<double>> MeasureAgesAsync(MuxTopicOptions options, double seconds)
    {
        await using var scene = await Scene.StartAsync(options);
        using var stopping = new CancellationTokenSource();
        var publisher = new Thread(() => scene.PublishEvenly(stopping.Token));
        var ages = new List<double>();
        int read = 0;
        var watch = Stopwatch.StartNew();
        publisher.Start();
        try
        {
            await foreach (byte[] item in scene.Feed.Watch(CancellationToken.None))
            {
                double age = Stopwatch.GetElapsedTime(BinaryPrimitives.ReadInt64LittleEndian(item)).TotalMilliseconds, now = watch.Elapsed.TotalSeconds;
                if (now >= Warmup) ages.Add(age);
                if (now >= Warmup + seconds) break;
                var rest = TimeSpan.FromSeconds((double)++read / Read) - watch.Elapsed;
                if (rest > TimeSpan.Zero) await Task.Delay(rest);
            }
        }
        finally
        {
            await stopping.CancelAsync();
            publisher.Join();
        }

        return ages;
    }

    private static async Task<int> MeasureBurstAsync(int queue)
    {
        await using var scene = await Scene.StartAsync(new MuxTopicOptions { Queue = queue });
        int got = 0;
        var reading = Task.Run(async () =>
        {
            await foreach (byte[] item in scene.Feed.Watch(CancellationToken.None))
            {
                if (BinaryPrimitives.ReadInt64LittleEndian(item) == 0) break; // the end
                got++;
            }
        });
        while (scene.Topics.GetStatistics().Subscribers == 0) await Task.Yield();
        for (int i = 0; i < Burst; i++) scene.Topics.Publish(0, Scene.NewItem());
        scene.Topics.Publish(0, new byte[16]);
        await reading;
        return got;
    }

    private sealed class Scene(MuxServer server, MuxChannel channel, MuxTopics<int, byte[]> topics) : IAsyncDisposable
    {
        public IFeed Feed { get; } = channel.CreateProxy<IFeed>();

        public MuxTopics<int, byte[]> Topics => topics;

        public static async Task<Scene> StartAsync(MuxTopicOptions options)
        {
            var topics = new MuxTopics<int, byte[]>(options);
            var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0" }).AddService<IFeed>(new Source(topics));
            server.Start();
            return new Scene(server, await MuxChannel.ConnectAsync(server.Address.ToString()), topics);
        }

        public static byte[] NewItem()
        {
            byte[] item = new byte[16];
            BinaryPrimitives.WriteInt64LittleEndian(item, Stopwatch.GetTimestamp());
            return item;
        }

        public void PublishEvenly(CancellationToken cancellationToken)
        {
            var watch = Stopwatch.StartNew();
            for (long made = 0; !cancellationToken.IsCancellationRequested; Thread.Sleep(1))
            {
                for (long due = (long)(watch.Elapsed.TotalSeconds * Published); made < due; made++) topics.Publish(0, NewItem());
            }
        }

        public async ValueTask DisposeAsync()
        {
            await channel.DisposeAsync();
            await server.DisposeAsync();
        }
    }

    private sealed class Source(MuxTopics<int, byte[]> topics) : IFeed
    {
        public IAsyncEnumerable<byte[]> Watch(CancellationToken cancellationToken = default) => topics.Subscribe(0);

        public ValueTask<FeedUsage> Publish(double seconds, int perSecond, int readers, CancellationToken cancellationToken = default) => new(new FeedUsage());

        public ValueTask<int> Subscribers(CancellationToken cancellationToken = default) => new(topics.GetStatistics().Subscribers);
    }
}
