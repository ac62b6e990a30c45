using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;

namespace Mux.Core.Tests.Connections;

/// <summary>Small requests wait for places of the server's handlers, and those that need none do not.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class PlaceWaitTests : HandlerPlaceScene
{
    [Fact]
    public void What_needs_no_place_does_not_wait_behind_requests_that_do()
    {
        var peer = Open();
        var own = peer.Methods.Add("test/Own");
        (own.IsOwn, own.Handler) = (true, static _ => []);
        peer.Define(2, "test/Own");
        var hogs = TakeAllPlaces();
        peer.Request(new CallId(1, 1), 1, []);
        peer.Request(new CallId(2, 1), 2, []);

        Assert.Equal((1, 1), (peer.Sut.ParkedRequests, own.Bodies.Count));
        AnswerAll(hogs);
        peer.Time.Advance(TimeSpan.FromMilliseconds(200));
        Work.RunAll();
        AnswerAll(peer);
    }

    [Fact]
    public void Parked_requests_that_are_cancelled_or_expire_end_without_a_place_and_without_running_and_the_others_keep_their_order()
    {
        var hogs = TakeAllPlaces();
        var peer = Open();
        for (int slot = 1; slot <= 5; slot++)
        {
            if (slot != 3) peer.Request(new CallId(slot, 1), 1, [(byte)slot]);
            else peer.SendFrame(FrameKind.Request, new CallId(slot, 1), [1, 0, (byte)RequestOptions.Deadline, 0, 0x50, 0xC3, 0, 0, 3]); // 50 ms
        }

        Work.RunAll();
        Assert.Equal(5, peer.Sut.ParkedRequests);

        peer.SendFrame(FrameKind.Cancel, new CallId(2, 1), [0]);
        peer.Time.Advance(TimeSpan.FromMilliseconds(110));
        Work.RunAll();

        Assert.Equal(3, peer.Sut.ParkedRequests);
        Assert.Equal(
            [(2, MuxStatus.Cancelled), (3, MuxStatus.DeadlineExceeded)],
            peer.ReadAll().Select(static frame => (frame.Id.Slot, StatusOf(frame))));
        peer.Request(new CallId(2, 2), 1, [6]); // its slot is free, and it comes last
        AnswerAll(hogs);
        peer.Time.Advance(TimeSpan.FromMilliseconds(200));
        Work.RunAll();
        Assert.Equal([1, 4, 5, 6], LaterOf(peer).Bodies.Select(static body => body[0]));
        Assert.Equal(0, Refused);
        AnswerAll(peer);
    }

    [Fact]
    public void A_parked_request_is_refused_when_half_of_its_time_is_gone_and_one_without_a_deadline_waits()
    {
        var hogs = TakeAllPlaces();
        var peer = Open();
        RequestWithin(peer, new CallId(1, 1), milliseconds: 1_000);
        RequestWithin(peer, new CallId(2, 1), milliseconds: 60);
        peer.Request(new CallId(3, 1), 1, []);
        Work.RunAll();

        Step(peer, milliseconds: 20);
        Assert.Equal(3, peer.Sut.ParkedRequests);
        Step(peer, milliseconds: 30); // the half of 60 ms, an eighth, and the ticker's 10 ms
        AssertRefusedForPlace(Assert.Single(peer.ReadAll()));
        Step(peer, milliseconds: 440);
        Assert.Equal(2, peer.Sut.ParkedRequests);
        Step(peer, milliseconds: 70);
        AssertRefusedForPlace(Assert.Single(peer.ReadAll()));
        Assert.Equal((1, 0, 2), (peer.Sut.ParkedRequests, LaterOf(peer).Bodies.Count, Refused));

        AnswerAll(hogs);
        Step(peer, milliseconds: 200);
        AnswerAll(peer);
    }

    [Fact]
    public void A_parked_request_whose_half_time_is_gone_is_refused_when_its_place_comes_and_the_next_one_gets_it()
    {
        var peer = Open();
        peer.Request(new CallId(1, 1), 1, []);
        var hogs = TakeAllPlaces();
        RequestWithin(peer, new CallId(2, 1), milliseconds: 1_000);
        peer.Request(new CallId(3, 1), 1, [3]);
        Step(peer, milliseconds: 500);
        peer.Time.Advance(TimeSpan.FromMilliseconds(5)); // before the search
        Assert.Equal(2, peer.Sut.ParkedRequests);

        LaterOf(peer).Pending[0].Reply([]);
        Work.RunAll();

        var answers = peer.ReadAll();
        Assert.Equal([(FrameKind.Response, 1), (FrameKind.Fail, 2)], answers.Select(static frame => (frame.Kind, frame.Id.Slot)));
        AssertRefusedForPlace(answers[1]);
        Assert.Equal([3], LaterOf(peer).Bodies[^1]);
        LaterOf(peer).Pending[1].Reply([]);
        AnswerAll(hogs);
    }

    [Fact]
    public void A_request_that_waits_only_for_its_peer_to_read_runs_although_half_of_its_time_is_gone()
    {
        var peer = Open();
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        RequestWithin(peer, new CallId(2, 1), milliseconds: 1_000);
        Step(peer, milliseconds: 900);

        peer.Link.Grow(long.MaxValue);
        Work.RunAll();

        Assert.Equal((1, 0), (LaterOf(peer).Pending.Count, Refused));
        AnswerAll(peer);
    }

    [Fact]
    public void A_lack_that_begins_late_takes_no_request_that_waited_only_for_its_peer_to_read_until_then()
    {
        var peer = Open();
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        RequestWithin(peer, new CallId(2, 1), milliseconds: 1_500);
        Step(peer, milliseconds: 900);
        var hogs = TakeAllPlaces();
        peer.Link.Grow(long.MaxValue);
        Work.RunAll();
        Step(peer, milliseconds: 110);
        Assert.Equal(1, peer.Sut.ParkedRequests);

        AnswerAll(hogs);
        Step(peer, milliseconds: 120);

        Assert.Equal((1, 0), (LaterOf(peer).Pending.Count, Refused));
        AnswerAll(peer);
    }

    [Fact]
    public void A_lack_before_the_peer_stopped_reading_does_not_count_when_it_reads_again()
    {
        var peer = Open();
        peer.Request(new CallId(1, 1), 1, []);
        var hogs = TakeAllPlaces();
        RequestWithin(peer, new CallId(2, 1), milliseconds: 3_000);
        Step(peer, milliseconds: 20);
        Assert.Equal(1, peer.Sut.ParkedRequests);
        peer.StopReading();
        LaterOf(peer).Pending[0].Reply(new byte[200]);
        AnswerAll(hogs);
        Step(peer, milliseconds: 2_500);

        peer.Link.Grow(long.MaxValue);
        Work.RunAll();

        Assert.Equal((2, 0), (LaterOf(peer).Pending.Count, Refused));
        LaterOf(peer).Pending[1].Reply([]);
    }

    [Fact]
    public void Calls_of_a_server_that_wait_at_a_client_without_a_memory_limit_get_the_places_of_its_other_connections()
    {
        var peer = Open(accepting: false, hasMemory: false);
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        peer.Request(new CallId(2, 1), 1, []);
        var hogs = TakeAllPlaces();
        peer.Link.Grow(long.MaxValue);
        Work.RunAll();
        Assert.Equal((1, 0), (peer.Sut.ParkedRequests, LaterOf(peer).Pending.Count));

        AnswerAll(hogs);
        Step(peer, milliseconds: 200);

        Assert.Equal((0, 1), (peer.Sut.ParkedRequests, LaterOf(peer).Pending.Count));
        AnswerAll(peer);
    }

    [Fact]
    public void A_call_with_little_time_finds_a_place_that_another_connection_leaves_before_half_of_it_is_gone()
    {
        var hogs = TakeAllPlaces();
        var peer = Open();
        RequestWithin(peer, new CallId(1, 1), milliseconds: 150);
        Work.RunAll();
        Step(peer, milliseconds: 10);
        AnswerAll(hogs);

        Step(peer, milliseconds: 60);

        Assert.Equal((1, 0), (LaterOf(peer).Pending.Count, Refused));
        AnswerAll(peer);
    }

    [Fact]
    public void Requests_for_which_there_are_places_are_queued_together()
    {
        const int Waiting = 20;
        var hogs = TakeAllPlaces();
        var peer = Open();
        var method = new QueuingMethod();
        peer.Methods.Others.Add(method);
        peer.Define(2, "test/Queuing");
        for (int slot = 1; slot <= Waiting; slot++) peer.Request(new CallId(slot, 1), 2, []);
        Work.RunAll();
        Assert.Equal((Waiting, 0), (peer.Sut.ParkedRequests, method.Queued.Count));

        AnswerAll(hogs);
        Step(peer, milliseconds: 200);

        Assert.Equal((0, Waiting), (peer.Sut.ParkedRequests, method.Queued.Count));
        while (method.Queued.TryDequeue(out var request)) request.Execute();
    }

    [Fact]
    public void A_queue_that_does_not_move_gets_a_bounded_number_of_those_that_waited()
    {
        const int Waiting = 200, Together = 64;
        var peer = Open(hasPlaces: false);
        var method = new QueuingMethod();
        peer.Methods.Others.Add(method);
        peer.Define(2, "test/Queuing");
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        for (int slot = 2; slot <= Waiting + 1; slot++) peer.Request(new CallId(slot, 1), 2, []);
        peer.Link.Grow(long.MaxValue);
        Work.RunAll();
        Assert.Equal((Waiting - Together, Together), (peer.Sut.ParkedRequests, method.Queued.Count));

        while (method.Queued.TryDequeue(out var request))
        {
            request.Execute();
            Work.RunAll();
        }

        Assert.Equal(0, peer.Sut.ParkedRequests);
    }

    [Fact]
    public void Slightly_above_what_handlers_can_do_nearly_all_that_begin_are_in_time_and_the_rest_is_refused_not_executed()
    {
        const int Running = Places / 2, HandlerTime = 100, Within = 1_000, Milliseconds = 10_000, Slots = 1_000;
        var peer = Open();
        var method = LaterOf(peer);
        var begun = new Queue<(InboundCall Call, long At)>();
        int sent = 0, expired = 0, seen = 0;
        for (int time = 0; time < Milliseconds; time += 10)
        {
            for (int call = 0; call < Running * 10 / HandlerTime * 6 / 5; call++) RequestWithin(peer, new CallId((sent % Slots) + 1, (uint)(sent++ / Slots) + 1), Within);
            Work.RunAll();
            for (; seen < method.Pending.Count; seen++) begun.Enqueue((method.Pending[seen], time));
            while (begun.TryPeek(out var oldest) && oldest.At + HandlerTime <= time)
            {
                if (begun.Dequeue().Call.IsExpired) expired++;
                oldest.Call.Reply([]);
            }

            Step(peer, milliseconds: 10);
            for (; seen < method.Pending.Count; seen++) begun.Enqueue((method.Pending[seen], time + 10));
        }

        var answers = peer.ReadAll();
        var refusals = answers.Where(static frame => frame.Kind == FrameKind.Fail).ToList();
        Assert.All(refusals, AssertRefusedForPlace);
        Assert.Equal(0, expired);
        int capacity = Running * Milliseconds / HandlerTime;
        Assert.InRange(answers.Count - refusals.Count, capacity * 9 / 10, capacity);
        Assert.InRange(sent - answers.Count, 0, capacity); // those of the last second
        AnswerRest(begun.Select(static request => request.Call));
        while (peer.Sut.ParkedRequests > 0)
        {
            Step(peer, milliseconds: 100);
            AnswerRest(method.Pending.Skip(seen));
            seen = method.Pending.Count;
        }
    }

    [Fact]
    public void Requests_that_come_all_the_time_do_not_put_off_the_refusal_of_those_whose_half_time_is_gone()
    {
        var hogs = TakeAllPlaces();
        var peer = Open();
        peer.Time.Advance(TimeSpan.FromMicroseconds(300)); // what is due is due between two ticks
        RequestWithin(peer, new CallId(1, 1), milliseconds: 200);
        for (int slot = 2; slot <= 340; slot++)
        {
            peer.Request(new CallId(slot, 1), 1, []);
            Work.RunAll();
            peer.Time.Advance(TimeSpan.FromMicroseconds(400));
        }

        AssertRefusedForPlace(Assert.Single(peer.ReadAll()));
        AnswerAll(hogs);
        Step(peer, milliseconds: 200);
        var pending = LaterOf(peer).Pending;
        for (int answered = 0; answered < pending.Count; answered++)
        {
            pending[answered].Reply([]);
            Step(peer, milliseconds: 10);
        }

        Assert.Equal(0, peer.Sut.ParkedRequests);
    }

    [Fact]
    public void After_all_parked_requests_were_refused_the_next_one_waits_as_long_as_any()
    {
        var hogs = TakeAllPlaces();
        var peer = Open();
        RequestWithin(peer, new CallId(1, 1), milliseconds: 1_000);
        Work.RunAll();
        Step(peer, milliseconds: 700);
        AssertRefusedForPlace(Assert.Single(peer.ReadAll()));
        peer.Time.Advance(TimeSpan.FromSeconds(31));

        peer.Request(new CallId(1, 2), 1, []);
        Work.RunAll();
        Step(peer, milliseconds: 2_000);

        Assert.Equal(1, peer.Sut.ParkedRequests);
        AnswerAll(hogs);
        Step(peer, milliseconds: 200);
        AnswerAll(peer);
    }

    [Fact]
    public void A_request_that_once_waited_for_its_peer_to_read_does_not_delay_the_refusals_of_later_ones()
    {
        var peer = Open();
        var method = new QueuingMethod();
        peer.Methods.Others.Add(method);
        peer.Define(2, "test/Queuing");
        RequestWithin(peer, new CallId(1, 1), milliseconds: 1_000, ordinal: 2);
        peer.StopReading();
        peer.Request(new CallId(2, 1), 0, []);
        method.Queued.Dequeue().Execute();
        Assert.Equal(1, peer.Sut.ParkedRequests);
        peer.Link.Grow(long.MaxValue);
        Work.RunAll();
        method.Queued.Dequeue().Execute();
        Step(peer, milliseconds: 1_100);
        peer.ReadAll();

        var hogs = TakeAllPlaces();
        RequestWithin(peer, new CallId(1, 2), milliseconds: 60);
        Work.RunAll();
        Step(peer, milliseconds: 50);

        AssertRefusedForPlace(Assert.Single(peer.ReadAll()));
        AnswerAll(hogs);
    }

    [Fact]
    public void A_parked_request_with_a_stream_returns_its_window_when_the_grace_of_a_drain_ends()
    {
        var hogs = TakeAllPlaces();
        var peer = Open();
        peer.Methods.Add("test/Stream", MethodShape.RequestStream);
        peer.Define(2, "test/Stream", MethodShape.RequestStream);
        peer.RequestStream(new CallId(1, 1), 2);
        Work.RunAll();
        Assert.Equal(1, peer.Sut.ParkedRequests);
        Assert.NotEqual(0, peer.Sut.StreamBudget.Used);

        peer.Sut.BeginDrain(100_000);
        Step(peer, milliseconds: 200);

        Assert.Equal((0, 0L), (peer.Sut.ParkedRequests, peer.Sut.StreamBudget.Used));
        AnswerAll(hogs);
    }

    [Fact]
    public void A_large_request_is_refused_at_its_first_fragment_also_while_small_ones_wait()
    {
        var hogs = TakeAllPlaces();
        var peer = Open();
        peer.Request(new CallId(1, 1), 1, []);
        peer.Begin(FrameKind.Request, new CallId(2, 1), 20, [1, 0, 0, 0]);

        AssertRefusedForPlace(peer.Read());
        Assert.Equal(1, peer.Sut.ParkedRequests);
        AnswerAll(hogs);
        Step(peer, milliseconds: 200);
        AnswerAll(peer);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_needs_no_place_waits_for_no_room_and_a_peer_that_never_reads_the_answers_is_ended(bool hasPlaces)
    {
        var peer = Open(hasPlaces: hasPlaces);
        var own = peer.Methods.Add("test/Own");
        (own.IsOwn, own.Handler) = (true, static _ => []);
        peer.Define(2, "test/Own");
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        peer.Request(new CallId(2, 1), 1, []);
        peer.Request(new CallId(3, 1), 2, []);
        Assert.Equal((1, 1), (peer.Sut.ParkedRequests, own.Bodies.Count));

        for (int generation = 2; peer.Owner.End is null && generation < 20_000; generation++)
        {
            peer.Request(new CallId(3, (uint)generation), 2, []);
        }

        Assert.Equal(CloseReason.ExcessiveLoad, peer.Owner.End?.Reason);
        int most = new PeerSettings().MaxCalls;
        Assert.InRange(own.Bodies.Count, most, most + 1);
    }

    [Fact]
    public void Parked_requests_that_are_cancelled_while_running_ones_hold_too_much_end_without_waiting_for_them()
    {
        var peer = Open(runningLimit: 3_000);
        peer.Request(new CallId(1, 1), 1, new byte[4_000]);
        peer.Request(new CallId(2, 1), 1, []);
        Assert.Equal(1, peer.Sut.ParkedRequests);

        peer.SendFrame(FrameKind.Cancel, new CallId(2, 1), [0]);
        Step(peer, milliseconds: 110);

        Assert.Equal([(2, MuxStatus.Cancelled)], peer.ReadAll().Select(static frame => (frame.Id.Slot, StatusOf(frame))));
        Assert.Equal(0, peer.Sut.ParkedRequests);
        AnswerAll(peer);
    }

    [Fact]
    public void Queued_requests_that_wait_for_a_place_end_without_one_when_they_are_cancelled_or_expire()
    {
        var peer = Open();
        var method = new QueuingMethod();
        peer.Methods.Others.Add(method);
        peer.Define(2, "test/Queuing");
        for (int slot = 1; slot <= 2; slot++) peer.Request(new CallId(slot, 1), 2, []);
        RequestWithin(peer, new CallId(3, 1), milliseconds: 500, ordinal: 2);
        peer.StopReading();
        peer.Request(new CallId(4, 1), 0, []);
        while (method.Queued.TryDequeue(out var request)) request.Execute();
        var hogs = TakeAllPlaces();
        peer.Link.Grow(long.MaxValue);
        Work.RunAll();
        peer.ReadAll();
        Assert.Equal(3, peer.Sut.ParkedRequests);

        peer.SendFrame(FrameKind.Cancel, new CallId(2, 1), [0]);
        Step(peer, milliseconds: 620);
        while (method.Queued.TryDequeue(out var request)) request.Execute();

        Assert.Equal(
            [(2, MuxStatus.Cancelled), (3, MuxStatus.DeadlineExceeded)],
            peer.ReadAll().Select(static frame => (frame.Id.Slot, StatusOf(frame))).Order());
        Assert.Equal((1, 0), (peer.Sut.ParkedRequests, Refused));
        AnswerAll(hogs);
        Step(peer, milliseconds: 200);
        while (method.Queued.TryDequeue(out var request)) request.Execute();
    }
}
