using Mux.Protocol;

namespace Mux.Core.Tests.Connections;

/// <summary>A request takes a place of the server's handlers when it starts: requests that wait leave the places to those that run.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class HandlerPlaceTests : HandlerPlaceScene
{
    [Fact]
    public void Parked_requests_of_peers_that_read_nothing_leave_the_places_to_others()
    {
        foreach (var deaf in Enumerable.Range(0, 10).Select(_ => Open()))
        {
            deaf.StopReading();
            for (int slot = 1; slot <= 50; slot++) deaf.Request(new CallId(slot, 1), 0, []); // the first reply is not read, and the others are parked
            Assert.Equal(49, deaf.Sut.ParkedRequests);
        }

        var good = Open();
        for (int slot = 1; slot <= 50; slot++) good.Request(new CallId(slot, 1), 1, []);

        Assert.Equal((50, 0), (LaterOf(good).Pending.Count, Refused));
        AnswerAll(good);
    }

    [Fact]
    public void Requests_that_are_not_whole_leave_the_places_to_others()
    {
        foreach (var slow in Enumerable.Range(0, 10).Select(_ => Open()))
        {
            for (int slot = 1; slot <= 50; slot++) slow.Begin(FrameKind.Request, new CallId(slot, 1), 20, [1, 0, 0, 0]);
        }

        var good = Open();
        for (int slot = 1; slot <= 50; slot++) good.Request(new CallId(slot, 1), 1, []);

        Assert.Equal((50, 0), (LaterOf(good).Pending.Count, Refused));
        AnswerAll(good);
    }

    [Fact]
    public void A_request_in_fragments_takes_its_place_when_it_is_whole()
    {
        var slow = Open();
        slow.Begin(FrameKind.Request, new CallId(1, 1), 2, [1, 0, 0, 0]);
        slow.Begin(FrameKind.Request, new CallId(2, 1), 2, [1, 0, 0, 0]);
        var hogs = TakeAllPlaces();
        slow.Continue(FrameKind.Request, new CallId(1, 1), [1, 2], isLast: true);
        AssertRefusedForPlace(slow.Read());
        Assert.Equal((0, 1), (LaterOf(slow).Pending.Count, Refused));

        AnswerAll(hogs);
        slow.Time.Advance(TimeSpan.FromSeconds(1));
        slow.Continue(FrameKind.Request, new CallId(2, 1), [1, 2], isLast: true);

        Assert.Equal((1, 1), (LaterOf(slow).Pending.Count, slow.Sut.RequestCounts.RunningCount));
        AnswerAll(slow);
    }

    [Fact]
    public void A_request_in_fragments_without_a_place_is_refused_with_a_pause_and_a_whole_one_waits()
    {
        var late = Open();
        late.Begin(FrameKind.Request, new CallId(1, 1), 2, [1, 0, 0, 0]);
        var hogs = TakeAllPlaces();

        late.Continue(FrameKind.Request, new CallId(1, 1), [1, 2], isLast: true);
        late.Request(new CallId(2, 1), 1, []);

        Assert.Equal([true], late.ReadAll().Select(static frame => frame.Payload.AsSpan().IndexOf("mux-pause"u8) > 0));
        Assert.Equal((0, 1, 1), (LaterOf(late).Pending.Count, late.Sut.ParkedRequests, Refused));

        AnswerAll(hogs);
        late.Time.Advance(TimeSpan.FromMilliseconds(200));
        Work.RunAll();
        Assert.Equal((1, 0), (LaterOf(late).Pending.Count, late.Sut.ParkedRequests));
        AnswerAll(late);
    }

    [Fact]
    public void Parked_requests_take_their_places_when_they_start()
    {
        var peer = Open();
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        for (int slot = 2; slot <= 31; slot++) peer.Request(new CallId(slot, 1), 1, []);
        Assert.Equal((30, 0), (peer.Sut.ParkedRequests, peer.Sut.RequestCounts.RunningCount));

        peer.Link.Grow(long.MaxValue);
        Work.RunAll();

        Assert.Equal((0, 30), (peer.Sut.ParkedRequests, peer.Sut.RequestCounts.RunningCount));
        AnswerAll(peer);
    }

    [Fact]
    public void Parked_requests_without_a_place_start_when_there_is_one()
    {
        var peer = Open();
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        for (int slot = 2; slot <= 3; slot++) peer.Request(new CallId(slot, 1), 1, []);
        var hogs = TakeAllPlaces();
        peer.Link.Grow(long.MaxValue);
        Work.RunAll();
        Assert.Equal((0, 2), (LaterOf(peer).Pending.Count, peer.Sut.ParkedRequests));

        AnswerAll(hogs);
        peer.Time.Advance(TimeSpan.FromMilliseconds(500));
        Work.RunAll();

        Assert.Equal((2, 0, 0), (LaterOf(peer).Pending.Count, peer.Sut.ParkedRequests, Refused));
        AnswerAll(peer);
    }

    [Fact]
    public void Parked_requests_of_which_none_finds_a_place_for_half_a_minute_are_refused()
    {
        var peer = Open();
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        for (int slot = 2; slot <= 10; slot++) peer.Request(new CallId(slot, 1), 1, []);
        var hogs = TakeAllPlaces();
        peer.Link.Grow(long.MaxValue);
        Work.RunAll();
        peer.ReadAll();
        Assert.Equal((0, 9), (LaterOf(peer).Pending.Count, peer.Sut.ParkedRequests));

        peer.Time.Advance(TimeSpan.FromMilliseconds(29_800));
        Work.RunAll();
        Assert.Equal(9, peer.Sut.ParkedRequests);
        peer.Time.Advance(TimeSpan.FromMilliseconds(300));
        Work.RunAll();

        Assert.Equal((0, 9), (peer.Sut.ParkedRequests, Refused));
        var answers = peer.ReadAll();
        Assert.Equal(9, answers.Count);
        Assert.All(answers, AssertRefusedForPlace);
        AnswerAll(hogs);
    }

    [Fact]
    public void A_connection_with_fewer_requests_gets_a_place_before_one_with_more_that_has_waited_longer()
    {
        var many = Open();
        for (int slot = 1; slot <= Places; slot++) many.Request(new CallId(slot, 1), 1, []);
        int running = LaterOf(many).Pending.Count;
        Assert.Equal((Places / 2, Places), (running, running + many.Sut.ParkedRequests));
        var hogs = TakeAllPlaces();
        var few = Open();
        for (int slot = 1; slot <= 2; slot++) few.Request(new CallId(slot, 1), 1, []);
        Work.RunAll();
        Assert.Equal(2, few.Sut.ParkedRequests);

        AnswerAll(hogs.Take(5));
        foreach (var peer in new[] { many, few }) peer.Time.Advance(TimeSpan.FromMilliseconds(200));
        Work.RunAll();

        Assert.Equal((running, 2), (LaterOf(many).Pending.Count, LaterOf(few).Pending.Count));
        AnswerAll(hogs.Skip(5).Append(few).Append(many));
        foreach (var peer in new[] { many, few }) peer.Time.Advance(TimeSpan.FromMilliseconds(200));
        Work.RunAll();
        Assert.Equal(0, many.Sut.ParkedRequests);
        foreach (var call in LaterOf(many).Pending.Skip(running)) call.Reply([]);
    }

    [Fact]
    public void Queued_requests_that_wait_for_the_peer_leave_their_places_and_are_refused_without_one()
    {
        var peer = Open();
        var method = new QueuingMethod();
        peer.Methods.Others.Add(method);
        peer.Define(2, "test/Queuing");
        for (int slot = 1; slot <= 20; slot++) peer.Request(new CallId(slot, 1), 2, []);
        Assert.Equal(20, peer.Sut.RequestCounts.RunningCount);
        peer.StopReading();
        peer.Request(new CallId(21, 1), 0, []);

        while (method.Queued.TryDequeue(out var request)) request.Execute();
        Assert.Equal((0, 20), (peer.Sut.RequestCounts.RunningCount, peer.Sut.ParkedRequests));

        var hogs = TakeAllPlaces();
        peer.Link.Grow(long.MaxValue);
        Work.RunAll();
        Assert.Equal((0, 20), (method.Queued.Count, peer.Sut.ParkedRequests));
        peer.Time.Advance(TimeSpan.FromMilliseconds(30_200));
        Work.RunAll();

        Assert.Equal((0, 20), (peer.Sut.ParkedRequests, Refused));
        AnswerAll(hogs);
    }
}
