using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Requests that arrive in fragments and are answered before they are whole, or could have been.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class ArrivingRequestTests : IDisposable
{
    private const int Total = 100_000;

    private static readonly CallId s_id = new(1, 1), s_next = new(1, 2);
    private static readonly TimeSpan s_deadline = TimeSpan.FromMilliseconds(10), s_more = TimeSpan.FromMilliseconds(20);
    private static readonly byte[] s_head = [0, 0, (byte)RequestOptions.Deadline, 0, 0x10, 0x27, 0, 0]; // 10 ms

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly ManualWork _work = new();
    private readonly ScriptedPeer _peer;
    private readonly ProbeMethod _method;

    public ArrivingRequestTests()
    {
        _peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = _work });
        _method = _peer.Methods.Add("test/Large");
        _method.Handler = static body => [(byte)body.Length];
        _peer.Define(0, "test/Large");
    }

    public void Dispose()
    {
        _peer.End();
        _work.RunAll();
        Assert.Equal((_buffersBefore, 0), (BufferPool.Outstanding, _peer.Sut.RequestCounts.OpenCount));
    }

    [Fact]
    public void A_request_of_which_nothing_more_comes_is_answered_when_its_deadline_passes()
    {
        _peer.Begin(FrameKind.Request, s_id, Total, s_head);
        _peer.Time.Advance(s_deadline - TimeSpan.FromMilliseconds(1));
        Assert.Empty(_peer.ReadAll());

        _peer.Time.Advance(s_more);

        AssertExpired(_peer.Read());
        Assert.Equal(0, _peer.Sut.RequestCounts.OpenCount);
        _peer.Send([]); // whatever is received next
        Assert.Equal((_buffersBefore, true), (BufferPool.Outstanding, _peer.Sut.Requests.IsEmpty));
    }

    [Fact]
    public void What_still_comes_of_a_request_that_was_answered_is_discarded_to_its_end_and_no_further()
    {
        _peer.Begin(FrameKind.Request, s_id, Total, s_head);
        _peer.Continue(FrameKind.Request, s_id, new byte[30_000]);
        _peer.Time.Advance(s_more);
        AssertExpired(_peer.Read());

        _peer.Continue(FrameKind.Request, s_id, new byte[30_000]);
        _peer.Continue(FrameKind.Request, s_id, new byte[30_000]);
        _peer.Continue(FrameKind.Request, s_id, new byte[10_000], isLast: true);

        Assert.Empty(_method.Bodies);
        Assert.Equal((ConnectionState.Open, _buffersBefore), (_peer.Sut.State, BufferPool.Outstanding));
        _peer.Continue(FrameKind.Request, s_id, new byte[10_000]);
        Assert.Equal(ConnectionState.Closing, _peer.Sut.State);
    }

    [Fact]
    public void The_last_fragment_may_come_together_with_the_first_one_behind_the_deadline()
    {
        _peer.Begin(FrameKind.Request, s_id, 50_000, s_head);
        _peer.Time.Advance(s_more);
        AssertExpired(_peer.Read());

        _peer.Send([.. ScriptedPeer.Frame(FrameKind.Request, s_id, new byte[30_000], FrameFlags.More), .. ScriptedPeer.Frame(FrameKind.Request, s_id, new byte[20_000])]);

        _work.RunAll();
        Assert.Empty(_method.Bodies);
        Assert.Empty(_peer.ReadAll());
        AssertTakes(s_next);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_request_that_was_whole_or_given_up_in_time_is_answered_once(bool isGivenUp)
    {
        _peer.Begin(FrameKind.Request, s_id, 30_000, s_head);
        if (isGivenUp) _peer.SendFrame(FrameKind.Cancel, s_id, [0]);
        else _peer.Continue(FrameKind.Request, s_id, new byte[30_000], isLast: true);
        _work.RunAll();
        Assert.Equal(isGivenUp ? FrameKind.Fail : FrameKind.Response, Assert.Single(_peer.ReadAll()).Kind);

        _peer.Time.Advance(s_more);

        Assert.Empty(_peer.ReadAll());
        Assert.Equal(1, _peer.Sut.RequestCounts.TurnTally.Total + _peer.Sut.RequestCounts.LockedTally.Total);
    }

    [Fact]
    public void The_deadline_of_a_request_is_none_of_the_next_one_in_its_slot()
    {
        _peer.Begin(FrameKind.Request, s_id, 30_000, s_head);
        _peer.SendFrame(FrameKind.Cancel, s_id, [0]);
        _peer.ReadAll();
        _peer.Begin(FrameKind.Request, s_next, 30_000, [0, 0, 0, 0]);

        _peer.Time.Advance(s_more);

        Assert.Empty(_peer.ReadAll());
        _peer.Continue(FrameKind.Request, s_next, new byte[30_000], isLast: true);
        _work.RunAll();
        Assert.Equal((FrameKind.Response, s_next), (_peer.Read().Kind, new CallId(1, 2)));
    }

    [Fact]
    public void The_end_of_the_connection_answers_no_request_again_that_a_deadline_did()
    {
        _peer.Begin(FrameKind.Request, s_id, Total, s_head);
        _peer.Time.Advance(s_more);

        _peer.End();

        Assert.Equal(1, _peer.Sut.RequestCounts.TurnTally.Total + _peer.Sut.RequestCounts.LockedTally.Total);
    }

    [Fact]
    public void Refused_requests_leave_nothing_to_look_for_and_their_rest_is_still_counted()
    {
        const int TooMuch = 5_000_000;
        for (int slot = 1; slot <= 10; slot++) _peer.Begin(FrameKind.Request, new CallId(slot, 1), TooMuch, [0, 0, 0, 0]);
        Assert.Equal(10, _peer.ReadAll().Count(frame => frame.Kind == FrameKind.Fail));
        Assert.True(_peer.Sut.Requests.IsEmpty);

        _peer.Continue(FrameKind.Request, s_id, new byte[30_000]);
        _peer.SendFrame(FrameKind.Cancel, new CallId(2, 1), [0]);
        AssertTakes(new CallId(1, 2));
        AssertTakes(new CallId(2, 2));

        Assert.Equal(ConnectionState.Open, _peer.Sut.State);
        _peer.Continue(FrameKind.Request, new CallId(3, 1), []); // of a message that nobody wants as well
        Assert.Equal(ConnectionState.Closing, _peer.Sut.State);
    }

    [Fact]
    public void A_fragment_behind_the_CANCEL_of_a_refused_request_breaks_the_rules()
    {
        _peer.Begin(FrameKind.Request, s_id, 5_000_000, [0, 0, 0, 0]);
        _peer.SendFrame(FrameKind.Cancel, s_id, [0]);
        Assert.Equal(ConnectionState.Open, _peer.Sut.State);

        _peer.Continue(FrameKind.Request, s_id, new byte[30_000]);

        Assert.Equal(ConnectionState.Closing, _peer.Sut.State);
    }

    private void AssertTakes(CallId id)
    {
        _peer.Request(id, 0, [1, 2, 3]);
        Assert.Equal([3], _peer.ReadAll().Single(frame => frame.Kind == FrameKind.Response && frame.Id == id).Payload);
    }

    private static void AssertExpired(RawFrame frame)
    {
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        Assert.Equal((FrameKind.Fail, s_id, (byte)MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), (frame.Kind, frame.Id, fail.Status, fail.Execution));
        Assert.Equal("The deadline passed before the request had arrived.", fail.Text);
    }
}
