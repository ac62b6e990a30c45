using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.Faults;

/// <summary>Twenty calls of all kinds over one connection, with a fault in it, and what must be true of them afterwards.</summary>
internal sealed class MixedExchange(VirtualScene scene, SentBytes byClient, SentBytes byServer)
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly List<(MixedCall Call, Task Task)> _calls = [];

    /// <summary>Whether all calls are made before a byte moves. Otherwise one after the other, so that their frames are in the same order each time; most are open together all the same.</summary>
    public bool StartsTogether { get; init; }

    public SentBytes ByClient => byClient;

    public SentBytes ByServer => byServer;

    public IEnumerable<MixedCall> Calls => _calls.Select(call => call.Call);

    private bool AllEnded => _calls.TrueForAll(call => call.Task.IsCompleted);

    /// <summary>Runs it to its end, the channel's included. Every call has completed once then, nothing is left, and other channels are served.</summary>
    public void Run()
    {
        bool isUndisturbed = byClient.Fault == OffsetFault.None && byServer.Fault == OffsetFault.None;
        scene.Service.History.Clear();
        scene.Transport.Expect(byClient, byServer);
        var channel = scene.CreateChannel();
        using var cancellation = new CancellationTokenSource();
        StartAll(channel.CreateProxy<IMixed>(), channel.CreateProxy<INewerMixed>(), cancellation.Token);
        if (isUndisturbed) scene.Reach(() => Calls.Count(call => call.Completions == 0) == 2, () => $"all calls but the one that expires and the one that is cancelled: {string.Join("; ", Calls)}");
        scene.Settle();
        cancellation.Cancel();
        scene.Settle();
        for (int second = 0; second < 45 && !AllEnded; second++) scene.Advance(s_second, s_second);
        scene.Reach(() => AllEnded, () => $"the end of {string.Join("; ", Calls.Where(call => call.Completions == 0))}");
        scene.End(channel);
        scene.AssertQuiet();
        scene.AssertUnharmed();
        var statistics = channel.GetStatistics();
        Assert.True(statistics.CallsStarted == statistics.CallsCompleted, $"{statistics}");
        foreach (var call in Calls)
        {
            Assert.True(call.Completions == 1, $"Completed other than once: {call}");
            Assert.True(call.CompletedAfter <= VirtualScene.ChannelDeadline + s_second, $"Completed after {call.CompletedAfter}: {call}");
        }
    }

    /// <summary>Nothing went wrong.</summary>
    public void AssertUndisturbed()
    {
        foreach (var call in Calls)
        {
            Assert.True(call.Status == call.Expected && call.Foreign is null && call.Items == call.ExpectedItems, $"Expected {call.Expected} and {call.ExpectedItems} items: {call}");
        }

        AssertTrue();
    }

    /// <summary>What the callers were told is what happened at the server.</summary>
    public void AssertTrue()
    {
        foreach (var call in Calls)
        {
            var history = scene.Service.History.Of(call.Id);
            bool asExpected = call.Status == call.Expected;
            Check(call.Foreign is null, "got what is not its own");
            Check(history.Starts <= 1 && history.Starts == history.Ends, "ran more than once, or did not end");
            Check(asExpected || call.Status is MuxStatus.Unavailable or MuxStatus.DeadlineExceeded or MuxStatus.Cancelled, "ended in a way that no lost connection explains");
            Check(call.Execution != MuxExecution.NotExecuted || history.Starts == 0, "is said not to have run");
            Check(call.Execution != MuxExecution.Executed || history.Starts == 1, "is said to have run");
            Check(call.Status != MuxStatus.Ok || call.IsOneWay || history.Ends == 1, "succeeded");
            Check(call.Status != MuxStatus.Ok || call.Items == call.ExpectedItems, "ended well without all its items");
            Check(call.Items <= call.ExpectedItems, "got too many items");
            Check(asExpected || call.Expected != MuxStatus.Ok || call.Execution is not null || call.Status == MuxStatus.Cancelled, "failed without saying whether it ran");

            void Check(bool holds, string what) => Assert.True(holds, $"It {what}, and there were {history.Starts} starts, {history.Ends} ends and {history.Sent} items at the server: {call}");
        }
    }

    /// <summary>All that can be asked of a connection whose bytes are not those that were sent: nobody succeeds on the strength of nothing.</summary>
    public void AssertNotMadeUp()
    {
        int succeeded = Calls.Count(call => call is { Status: MuxStatus.Ok, IsOneWay: false, IsKnown: true, Foreign: null });
        int ended = scene.Service.History.TotalEnds;
        Assert.True(succeeded <= ended, $"{succeeded} calls succeeded and {ended} handlers ended: {string.Join("; ", Calls)}");
    }

    private static Question Ask(MixedCall call, string? text = null, int items = 0) =>
        new() { Id = call.Id, Text = text, Names = items == 0 ? null : [.. Enumerable.Repeat("x", items)] };

    private static void Take(MixedCall call, Answer answer)
    {
        if (answer.Id != call.Id) call.Foreign = $"the answer to {answer.Id}";
    }

    private static async ValueTask ReadAsync(MixedCall call, IAsyncEnumerable<Answer> answers, int most = int.MaxValue)
    {
        await foreach (var answer in answers.ConfigureAwait(false))
        {
            if (answer.Id != call.Items++) call.Foreign = $"item {answer.Id} as number {call.Items - 1}";
            if (call.Items >= most) break;
        }
    }

    private static async IAsyncEnumerable<Question> Items(int count)
    {
        await Task.CompletedTask.ConfigureAwait(false);
        for (int i = 0; i < count; i++) yield return new Question { Id = i };
    }

    private void StartAll(IMixed proxy, INewerMixed newer, CancellationToken cancelled)
    {
        Start(id => new MixedCall(id, "unary"), async call => Take(call, await proxy.Ask(Ask(call)).ConfigureAwait(false)));
        Start(id => new MixedCall(id, "list") { ExpectedItems = 3 }, call => ReadAsync(call, proxy.List(Ask(call, items: 3))));
        Start(id => new MixedCall(id, "status") { Expected = MuxStatus.NotFound }, async call => Take(call, await proxy.Ask(Ask(call, "fail")).ConfigureAwait(false)));
        Start(id => new MixedCall(id, "detail") { Expected = MuxStatus.Aborted }, async call =>
        {
            try
            {
                Take(call, await proxy.Ask(Ask(call, "blame")).ConfigureAwait(false));
            }
            catch (MuxException error) when (error.Status == MuxStatus.Aborted)
            {
                if ((error.Detail as Blame)?.Id != call.Id) call.Foreign = $"the detail {error.Detail}";
                throw;
            }
        });
        Start(id => new MixedCall(id, "sum"), async call =>
        {
            var answer = await proxy.Sum(Ask(call), Items(3)).ConfigureAwait(false);
            Take(call, answer);
            if (answer.Names?.Count != 3) call.Foreign = $"{answer.Names?.Count} items counted";
        });
        Start(id => new MixedCall(id, "metadata"), async call =>
        {
            var options = new MuxCallOptions { Metadata = new() { ["ask"] = "7" }, ResponseMetadata = new() };
            Take(call, await proxy.Ask(Ask(call, "metadata"), options).ConfigureAwait(false));
            if (options.ResponseMetadata["answer"] != "7") call.Foreign = $"the metadata {options.ResponseMetadata["answer"]}";
        });
        Start(id => new MixedCall(id, "deadline kept"), async call =>
            Take(call, await proxy.Ask(Ask(call), new MuxCallOptions { Timeout = TimeSpan.FromSeconds(5) }).ConfigureAwait(false)));
        Start(id => new MixedCall(id, "deadline missed") { Expected = MuxStatus.DeadlineExceeded }, async call =>
            Take(call, await proxy.Ask(Ask(call, "wait"), new MuxCallOptions { Timeout = TimeSpan.FromSeconds(2) }).ConfigureAwait(false)));
        Start(id => new MixedCall(id, "one-way") { IsOneWay = true }, call => proxy.Tell(Ask(call)));
        Start(id => new MixedCall(id, "cancelled") { Expected = MuxStatus.Cancelled }, async call =>
            Take(call, await proxy.Ask(Ask(call, "wait"), cancellationToken: cancelled).ConfigureAwait(false)));
        Start(id => new MixedCall(id, "talk") { ExpectedItems = 3 }, call => ReadAsync(call, proxy.Talk(Ask(call), Items(3))));
        Start(id => new MixedCall(id, "list of one") { ExpectedItems = 1 }, call => ReadAsync(call, proxy.List(Ask(call, items: 1))));
        Start(id => new MixedCall(id, "list that fails") { Expected = MuxStatus.DataLoss, ExpectedItems = 2 }, call =>
            ReadAsync(call, proxy.List(Ask(call, "fail", 2))));
        Start(id => new MixedCall(id, "list left early") { ExpectedItems = 1 }, call => ReadAsync(call, proxy.List(Ask(call, "wait", 2)), 1));
        Start(id => new MixedCall(id, "download"), async call =>
        {
            var stream = await proxy.Download(Ask(call)).ConfigureAwait(false);
            await using var _ = stream.ConfigureAwait(false);
            using var all = new MemoryStream();
            await stream.CopyToAsync(all, CancellationToken.None).ConfigureAwait(false);
            if (all.Length != 48 || all.ToArray().Where((value, index) => value != index).Any()) call.Foreign = $"{all.Length} bytes";
        });
        Start(id => new MixedCall(id, "unknown") { Expected = MuxStatus.Unimplemented, IsKnown = false }, async call =>
            Take(call, await newer.Missing(Ask(call)).ConfigureAwait(false)));
        Start(id => new MixedCall(id, "exception") { Expected = MuxStatus.Unknown }, async call => Take(call, await proxy.Ask(Ask(call, "throw")).ConfigureAwait(false)));
        Start(id => new MixedCall(id, "sum of none"), async call => Take(call, await proxy.Sum(Ask(call), Items(0)).ConfigureAwait(false)));
        Start(id => new MixedCall(id, "one-way again") { IsOneWay = true }, call => proxy.Tell(Ask(call)));
        Start(id => new MixedCall(id, "last"), async call => Take(call, await proxy.Ask(Ask(call)).ConfigureAwait(false)));
    }

    private void Start(Func<int, MixedCall> make, Func<MixedCall, ValueTask> body)
    {
        var call = make(_calls.Count + 1);

        // CallTimeout limits no stream, and one whose bytes are not those that were sent may never end by itself.
        using var _ = new MuxCallOptions { Timeout = VirtualScene.ChannelDeadline }.Apply();
        _calls.Add((call, call.RunAsync(body, scene.Time)));
        if (!StartsTogether) scene.Settle();
    }
}
