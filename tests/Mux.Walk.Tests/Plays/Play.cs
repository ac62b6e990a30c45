using Mux.Walk.Tests.Weaving;

namespace Mux.Walk.Tests.Plays;

/// <summary>
/// What is played on the woven engine. Runs in the copy of this assembly that <see cref="WovenContext"/> loads.
/// </summary>
internal static class Play
{
    /// <summary>All plays by the names that the file of figures has.</summary>
    public static readonly string[] Names =
    [
        "call-in-a-turn", "call-from-the-pool", "stream-of-100-items",
        "call-through-a-filter", "call-through-a-gateway",
    ];

    private const int WarmUps = 100;
    private const int Rounds = 25;

    /// <summary>Plays something until it is steady, and then some times more.</summary>
    /// <returns>The methods that each of the last times entered, by number and in order.</returns>
    public static int[][] Perform(string name) => name switch
    {
        "call-in-a-turn" => InTurns(new Theater()),
        "call-from-the-pool" => FromThePool(new Theater(MuxDispatchMode.Pool)),
        "stream-of-100-items" => OfStreams(new Theater()),
        "call-through-a-filter" => InTurns(new Theater(hasFilters: true)),
        "call-through-a-gateway" => InTurns(new Theater(hasGateway: true)),
        _ => throw new ArgumentException($"There is no play '{name}'.", nameof(name)),
    };

    /// <summary>
    /// Each call is made by the code after the one before it, in the turn that has received its reply. So from one call
    /// to the next is one period of all sides, whatever they put off to the end of a turn.
    /// </summary>
    private static int[][] InTurns(Theater theater)
    {
        using (theater)
        {
            var calls = CallAsync(theater.Proxy);
            theater.Pump(() => calls.IsCompleted);
            return calls.Result;
        }

        static async Task<int[][]> CallAsync(IStage proxy)
        {
            var line = new Line { Number = 1, Text = "To be" };
            for (int i = 0; i < WarmUps; i++) await proxy.Answer(line).ConfigureAwait(false);
            var plays = new int[Rounds][];
            for (int i = 0; i < Rounds; i++)
            {
                Probe.Start(watchesPool: false);
                await proxy.Answer(line).ConfigureAwait(false);
                plays[i] = Probe.Stop();
            }

            return plays;
        }
    }

    private static int[][] OfStreams(Theater theater)
    {
        using (theater)
        {
            var streams = ReadAsync(theater.Proxy);
            theater.Pump(() => streams.IsCompleted);
            return streams.Result;
        }

        static async Task<int[][]> ReadAsync(IStage proxy)
        {
            var first = new Line { Number = 100, Text = "Tomorrow, and tomorrow, and tomorrow" };
            for (int i = 0; i < WarmUps; i++) await ReadOneAsync(proxy, first).ConfigureAwait(false);
            var plays = new int[Rounds][];
            for (int i = 0; i < Rounds; i++)
            {
                Probe.Start(watchesPool: false);
                await ReadOneAsync(proxy, first).ConfigureAwait(false);
                plays[i] = Probe.Stop();
            }

            return plays;
        }

        static async ValueTask ReadOneAsync(IStage proxy, Line first)
        {
            int count = 0;
            await foreach (var line in proxy.Recite(first).ConfigureAwait(false)) count += line.Number / line.Number;
            if (count != first.Number) throw new InvalidOperationException($"{count} of {first.Number} items came.");
        }
    }

    /// <summary>
    /// Each call is made on a thread of the pool, outside any turn, and its handler runs there. Pool and pump take
    /// turns, so that nothing races.
    /// </summary>
    private static int[][] FromThePool(Theater theater)
    {
        using (theater)
        {
            ThreadPool.GetAvailableThreads(out int idle, out _);
            var line = new Line { Number = 1, Text = "To be" };
            var plays = new List<int[]>();
            for (int i = 0; i < WarmUps + Rounds; i++)
            {
                Probe.Start(watchesPool: true);
                var call = Task.Run(() => theater.Proxy.Answer(line).AsTask());
                theater.Pump(() => call.IsCompleted, () => IsQuiet(idle));
                call.GetAwaiter().GetResult();
                var entered = Probe.Stop();
                if (i >= WarmUps) plays.Add(entered);
            }

            return [.. plays];
        }
    }

    private static bool IsQuiet(int idle)
    {
        ThreadPool.GetAvailableThreads(out int free, out _);
        return free >= idle && ThreadPool.PendingWorkItemCount == 0;
    }
}
