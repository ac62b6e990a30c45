using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>What callers read whose requests got no handler.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class PlaceLackTests : HandlerPlaceScene
{
    private const string Share =
        "the connection has 50 of the 100 handlers that the server runs at most (Limits.MaxHandlers), and the rest is in use or kept for others";

    [Fact]
    public void A_request_that_waited_reads_for_how_long_how_much_the_connection_has_and_what_to_change()
    {
        var peer = Open();
        for (int slot = 1; slot <= Places / 2; slot++) peer.Request(new CallId(slot, 1), 1, []);
        RequestWithin(peer, new CallId(51, 1), milliseconds: 3_000);
        RequestWithin(peer, new CallId(52, 1), milliseconds: 60);
        Work.RunAll();
        Step(peer, milliseconds: 1_600);

        Assert.Equal(
            [TextFor("30 ms"), TextFor("1.5 s")],
            peer.ReadAll().Select(TextOf));
        AnswerUntilEmpty([peer]);

        static string TextFor(string time) => $"The request waited {time}, half of its time, for a handler: {Share}. " +
            "Make fewer calls concurrently, give them more time, add servers, or raise Limits.MaxHandlers.";
    }

    [Fact]
    public void A_request_that_waited_reads_that_the_server_limits_its_time()
    {
        var hogs = TakeAllPlaces();
        var peer = Open(maxDeadline: 1_000_000);
        peer.Request(new CallId(1, 1), 1, []);
        Step(peer, milliseconds: 600);

        Assert.EndsWith(" or raise Limits.MaxHandlers. The server allows a call 1000 ms (MaxCallTimeout).", TextOf(peer.Read()), StringComparison.Ordinal);
        AnswerAll(hogs);
    }

    [Fact]
    public void A_request_that_waited_at_a_full_server_reads_that_it_is_full()
    {
        var hogs = TakeAllPlaces();
        var singles = new List<ScriptedPeer>();
        do
        {
            singles.Add(Open());
            singles[^1].Request(new CallId(1, 1), 1, []);
        }
        while (singles[^1].Sut.ParkedRequests == 0);
        var first = Open(host: "10.0.0.2"); // the last places are for the first requests of other addresses
        first.Request(new CallId(1, 1), 1, []);
        var peer = Open(host: "10.0.0.3");
        peer.Request(new CallId(1, 1), 1, []);
        var late = Open(host: "10.0.0.4");
        RequestWithin(late, new CallId(1, 1), milliseconds: 1_000);
        Step(late, milliseconds: 600);

        Assert.Contains(
            ": the server runs as many handlers as Limits.MaxHandlers allows (100). Make", TextOf(late.Read()), StringComparison.Ordinal);
        AnswerAll([.. hogs, .. singles, first, peer]);
        Step(singles[^1], milliseconds: 200);
        AnswerAll(singles[^1]);
    }

    [Fact]
    public void A_request_that_waited_because_of_its_address_reads_the_limit_of_an_address()
    {
        const string Host = "10.0.0.1";
        var hogs = Enumerable.Range(0, 4).Select(_ => Open(host: Host)).ToList();
        foreach (var hog in hogs)
        {
            for (int slot = 1; slot <= PlacesOfAddress; slot++) hog.Request(new CallId(slot, 1), 1, []);
        }

        var peer = hogs[^1];
        RequestWithin(peer, new CallId(PlacesOfAddress + 1, 1), milliseconds: 1_000);
        Work.RunAll();
        Step(peer, milliseconds: 600);

        Assert.Equal(
            "The request waited 500 ms, half of its time, for a handler: the connections of its address have as many handlers as " +
            "Limits.MaxHandlersPerAddress allows (20). Make fewer calls concurrently, give them more time, add servers, or raise " +
            "Limits.MaxHandlersPerAddress.",
            TextOf(Assert.Single(peer.ReadAll())));
        AnswerUntilEmpty(hogs);
    }

    [Fact]
    public void A_request_that_first_waited_for_its_peer_to_read_waits_for_a_handler_for_half_of_the_rest_of_its_time()
    {
        var peer = Open();
        for (int slot = 1; slot <= Places / 2; slot++) peer.Request(new CallId(slot, 1), 1, []);
        peer.StopReading();
        foreach (var call in LaterOf(peer).Pending) call.Reply(new byte[200]); // as long as nothing is read, none is replaced
        var hogs = TakeAllPlaces();
        RequestWithin(peer, new CallId(51, 1), milliseconds: 1_000);
        Step(peer, milliseconds: 800);

        peer.Link.Grow(long.MaxValue);
        Work.RunAll();
        Step(peer, milliseconds: 80);
        Assert.Equal(1, peer.Sut.ParkedRequests);
        Step(peer, milliseconds: 70);

        Assert.Matches(
            "^The request waited 100 ms for a handler, half of the time that it had left after a wait of 800 ms for room: the connection has ",
            TextOf(Assert.Single(peer.ReadAll(), static frame => frame.Kind == FrameKind.Fail)));
        AnswerAll(hogs);
    }

    [Fact]
    public void Requests_of_which_none_got_a_handler_for_half_a_minute_read_that_handlers_may_wait_for_themselves()
    {
        var peer = Open();
        for (int slot = 1; slot <= Places / 2 + 2; slot++) peer.Request(new CallId(slot, 1), 1, []);
        Work.RunAll();
        Step(peer, milliseconds: 30_200);

        var answers = peer.ReadAll();
        Assert.Equal(2, answers.Count);
        Assert.All(answers, static answer => Assert.Matches(
            "^The request waited for a handler, which no request of its connection got for 30(\\.\\d+)? s: " +
            "the connection has 50 of the 100 handlers [^.]+\\.MaxHandlers\\), and the rest is in use or kept for others\\. " +
            "If handlers await calls to their own server, they wait for themselves: they should not make such calls\\. " +
            "Make fewer calls concurrently, add servers, or raise Limits\\.MaxHandlers\\.$",
            TextOf(answer)));
        AnswerAll(peer);
    }

    [Fact]
    public void A_large_request_that_waited_for_a_second_reads_this_and_one_that_is_refused_at_once_reads_no_wait()
    {
        var peer = Open();
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        peer.Begin(FrameKind.Request, new CallId(2, 1), 17_000, [1, 0, 0, 0]);
        peer.Continue(FrameKind.Request, new CallId(2, 1), new byte[17_000], isLast: true);
        var hogs = TakeAllPlaces();
        peer.Begin(FrameKind.Request, new CallId(3, 1), 17_000, [1, 0, 0, 0]);
        peer.Link.Grow(long.MaxValue);
        Assert.StartsWith(
            "There is no handler for the request: the connection has 0 of the 100 handlers that the server runs at most (Limits.MaxHandlers), and ",
            TextOf(Assert.Single(peer.ReadAll(), static frame => frame.Kind == FrameKind.Fail)), StringComparison.Ordinal);
        Assert.Equal(1, peer.Sut.ParkedRequests);
        Step(peer, milliseconds: 1_200);

        Assert.Matches(
            "^The request waited for a handler, which no request of its connection got for 1(\\.\\d+)? s: [^.]+\\.MaxHandlers[^.]+\\. " +
            "Make fewer calls concurrently, add servers, or raise Limits\\.MaxHandlers\\.$",
            TextOf(Assert.Single(peer.ReadAll())));
        AnswerAll(hogs);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)] // the burst comes before a thread has looked for places
    public void A_request_for_which_no_bytes_are_left_among_those_that_wait_reads_why_they_wait(bool hasLooked)
    {
        var peer = Open(parkedLimit: 1_000, runningLimit: 1_000);
        for (int slot = 1; slot <= Places / 2 + 1; slot++) peer.Request(new CallId(slot, 1), 1, []);
        if (hasLooked) Work.RunAll();
        for (int slot = 52; slot <= 80; slot++) peer.Request(new CallId(slot, 1), 1, []);

        var answers = peer.ReadAll();
        Assert.NotEmpty(answers);
        Assert.Equal(answers.Count, Refused);
        Assert.All(answers, static answer => Assert.Equal(
            "Too many requests of the connection are waiting, which MaxParkedBytes (1000) limits: the first of them waits for a " +
            $"handler, and {Share}. Make fewer calls concurrently, add servers, or raise Limits.MaxHandlers.",
            TextOf(answer)));
        AnswerUntilEmpty([peer]);
    }

    private static string TextOf(RawFrame frame)
    {
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        return fail.Text;
    }

    /// <summary>Answers what runs and then gets handlers, until nothing waits.</summary>
    private void AnswerUntilEmpty(List<ScriptedPeer> peers)
    {
        var answered = peers.ToDictionary(static peer => peer, static _ => 0);
        do
        {
            foreach (var peer in peers)
            {
                var pending = LaterOf(peer).Pending;
                while (answered[peer] < pending.Count) pending[answered[peer]++].Reply([]);
            }

            foreach (var peer in peers) Step(peer, milliseconds: 100);
        }
        while (peers.Exists(peer => answered[peer] < LaterOf(peer).Pending.Count || peer.Sut.ParkedRequests > 0));
    }
}
