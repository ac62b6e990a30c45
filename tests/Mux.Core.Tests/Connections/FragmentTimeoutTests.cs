using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Messages that are begun and of which nothing more comes.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class FragmentTimeoutTests : IDisposable
{
    private const int Total = 1_000_000;

    private static readonly CallId s_id = new(1, 1);
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30), s_answerTime = TimeSpan.FromSeconds(15), s_second = TimeSpan.FromSeconds(1);
    private static readonly MethodDescriptor s_unary = new("test", "Own", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_items = new("test", "OwnItems", MethodShape.ResponseStream, takesToken: false);

    private static readonly BudgetLimits s_withoutRate = EffectiveLimits.Of(new MuxServerOptions()).Budgets with { MinMessageRate = 0 };

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly ManualWork _work = new();
    private ScriptedPeer? _peer;

    public void Dispose()
    {
        _peer?.End();
        _work.RunAll();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void A_request_of_which_nothing_more_comes_is_refused_not_executed_and_the_connection_goes_on()
    {
        var peer = Open();
        Begin(peer, s_id);
        peer.Time.Advance(s_timeout - s_second);
        Assert.Empty(peer.ReadAll());

        peer.Time.Advance(s_second * 2);
        AnswerTwice(peer);

        var frames = peer.ReadAll();
        Assert.Equal(FrameKind.Ping, frames[0].Kind);
        AssertRefused(Assert.Single(frames, frame => frame.Kind == FrameKind.Fail), s_id);
        Assert.Equal((_buffersBefore, 0L, 0), (BufferPool.Outstanding, peer.Sut.Reassembly.Used, peer.Sut.RequestCounts.OpenCount));
        peer.Continue(FrameKind.Request, s_id, new byte[1_000]); // crossed with the refusal
        peer.Request(new CallId(2, 1), 1, [7]);
        Assert.Equal([7], peer.Read().Payload);
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_request_whose_rest_waited_while_this_process_stood_still_is_taken()
    {
        var peer = Open();
        Begin(peer, s_id);
        peer.Time.Advance(s_timeout + s_second);
        Answer(peer); // what was in front of the rest
        for (int sent = 1_000; sent < Total; sent += 37_000) peer.Continue(FrameKind.Request, s_id, new byte[37_000], isLast: sent + 37_000 == Total);

        _work.RunAll();
        Assert.Equal(FrameKind.Response, Assert.Single(peer.ReadAll(), frame => frame.Kind is FrameKind.Fail or FrameKind.Response).Kind);
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void Without_a_least_rate_a_request_has_as_much_time_again_with_each_fragment()
    {
        var peer = Open(limits: s_withoutRate);
        peer.Begin(FrameKind.Request, s_id, Total, [0, 0, 0, 0]);
        for (int sent = 50_000; sent <= Total; sent += 50_000)
        {
            peer.Time.Advance(s_timeout - s_second);
            Answer(peer);
            peer.Continue(FrameKind.Request, s_id, new byte[50_000], isLast: sent == Total);
        }

        _work.RunAll();
        Assert.Equal(FrameKind.Response, Assert.Single(peer.ReadAll(), frame => frame.Kind is FrameKind.Fail or FrameKind.Response).Kind);
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_request_that_dribbles_in_is_refused_when_it_has_had_the_time_that_its_length_takes()
    {
        var peer = Open();
        peer.Begin(FrameKind.Request, s_id, Total, [0, 0, 0, 0]);
        int seconds = Dribble(peer, FrameKind.Request, step: 1_000); // a fragment of 1 KB every 20 s
        Assert.InRange(seconds, 91, 91 + 40); // 30 s, 61 s for a million bytes at 16 KiB/s, and two looks

        var fail = Assert.Single(peer.ReadAll(), frame => frame.Kind == FrameKind.Fail);
        Assert.True(FailFrame.TryRead(fail.Payload, out var failure, out _));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), ((MuxStatus)failure.Status, failure.Execution));
        Assert.Contains("The request of 1000000 bytes was not complete after 91 s", failure.Text, StringComparison.Ordinal);
        Assert.Equal((_buffersBefore, 0L), (BufferPool.Outstanding, peer.Sut.Reassembly.Used));
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_message_that_comes_as_fast_as_it_has_to_is_taken_whatever_others_do()
    {
        var peer = Open();
        peer.Begin(FrameKind.Request, s_id, Total, [0, 0, 0, 0]);
        Begin(peer, new CallId(2, 1));
        for (int sent = 250_000; sent <= Total; sent += 250_000)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(20));
            peer.Continue(FrameKind.Request, s_id, new byte[250_000 / 4]);
            peer.Continue(FrameKind.Request, s_id, new byte[250_000 / 4]);
            peer.Continue(FrameKind.Request, s_id, new byte[250_000 / 4]);
            peer.Continue(FrameKind.Request, s_id, new byte[250_000 / 4], isLast: sent == Total);
        }

        _work.RunAll();
        Assert.Equal(s_id, Assert.Single(peer.ReadAll(), frame => frame.Kind == FrameKind.Response).Id);
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_reply_that_dribbles_in_fails_its_call()
    {
        var peer = Open(accepting: false);
        var call = peer.Call(s_unary, []);
        peer.Begin(FrameKind.Response, s_id, Total);
        Dribble(peer, FrameKind.Response, step: 1_000);
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.Executed), (call.Failure?.Status, call.Failure?.Execution));
        Assert.Contains("Limits.MinMessageRate", call.Failure!.Text, StringComparison.Ordinal);
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_peer_that_then_says_nothing_at_all_is_given_up()
    {
        var peer = Open();
        Begin(peer, s_id);
        peer.Time.Advance(s_timeout + s_second);
        Assert.Equal(FrameKind.Ping, peer.Read().Kind);
        peer.Time.Advance(s_answerTime - s_second * 2);
        Assert.Null(peer.Owner.End);

        peer.Time.Advance(s_second * 2);

        Assert.Equal((CloseReason.SlowPeer, PeerLimit.SlowSending), (peer.Owner.End?.Reason, peer.Owner.End?.Limit));
        Assert.Contains("sent no fragment of it for 30 s", peer.Owner.End!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_message_waits_for_others_that_are_on_their_way()
    {
        var peer = Open(limits: s_withoutRate);
        Begin(peer, s_id);
        Begin(peer, new CallId(2, 1)); // together 2 MiB, of which a 64th comes at least
        for (int i = 0; i < 75; i++)
        {
            peer.Time.Advance(s_timeout / 3);
            peer.Continue(FrameKind.Request, new CallId(2, 1), new byte[12_000]);
        }

        Assert.DoesNotContain(peer.ReadAll(), frame => frame.Kind == FrameKind.Fail);
        for (int i = 0; i < 8; i++)
        {
            peer.Time.Advance(s_timeout / 3);
            peer.Continue(FrameKind.Request, new CallId(2, 1), new byte[1_000]); // less
        }

        AssertRefused(Assert.Single(peer.ReadAll(), frame => frame.Kind == FrameKind.Fail), s_id);
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void An_item_of_which_nothing_more_comes_ends_its_stream()
    {
        var peer = Open();
        var method = peer.Methods.Add("test/Items", MethodShape.RequestStream);
        peer.Define(2, "test/Items", MethodShape.RequestStream);
        peer.RequestStream(s_id, 2);
        peer.Begin(FrameKind.RequestItem, s_id, Total);
        peer.Continue(FrameKind.RequestItem, s_id, new byte[1_000]);

        peer.Time.Advance(s_timeout + s_second);
        AnswerTwice(peer);

        Assert.Equal(MuxStatus.ResourceExhausted, method.Items[0].Failure?.Status);
        Assert.Equal((_buffersBefore, 0L), (BufferPool.Outstanding, peer.Sut.Reassembly.Used));
        peer.Continue(FrameKind.RequestItem, s_id, new byte[1_000]);
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void An_item_whose_call_was_answered_before_it_was_whole_is_forgotten()
    {
        var peer = Open();
        var method = peer.Methods.Add("test/Items", MethodShape.RequestStream);
        peer.Define(2, "test/Items", MethodShape.RequestStream);
        peer.RequestStream(s_id, 2);
        peer.Begin(FrameKind.RequestItem, s_id, Total);
        peer.Continue(FrameKind.RequestItem, s_id, new byte[1_000]);
        method.Pending[0].Reply([1]);
        Assert.NotEqual(0, peer.Sut.Reassembly.Used);

        peer.Time.Advance(s_timeout + s_second);
        AnswerTwice(peer);

        Assert.Equal((_buffersBefore, 0L), (BufferPool.Outstanding, peer.Sut.Reassembly.Used));
        peer.Time.Advance(s_timeout * 10);
        Assert.Null(peer.Owner.End);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_reply_and_an_item_of_which_nothing_more_comes_fail_their_calls(bool isItem)
    {
        var peer = Open(accepting: false);
        var stream = isItem ? peer.CallStream(s_items) : null;
        var call = isItem ? null : peer.Call(s_unary, []);
        var kind = isItem ? FrameKind.ResponseItem : FrameKind.Response;
        peer.Begin(kind, s_id, Total);
        peer.Continue(kind, s_id, new byte[1_000]);

        peer.Time.Advance(s_timeout + s_second);
        AnswerTwice(peer);

        var failure = isItem ? stream!.Failure : call!.Failure;
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.Executed), (failure?.Status, failure?.Execution));
        Assert.Contains("Limits.FragmentTimeout", failure!.Text, StringComparison.Ordinal);
        Assert.Equal((_buffersBefore, 0L), (BufferPool.Outstanding, peer.Sut.Reassembly.Used));
        peer.Continue(kind, s_id, new byte[1_000]); // crossed with the cancel
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_deadline_that_passes_first_answers_the_request()
    {
        var peer = Open();
        peer.Begin(FrameKind.Request, s_id, Total, [0, 0, (byte)RequestOptions.Deadline, 0, 0x80, 0x96, 0x98, 0]); // 10 s
        peer.Continue(FrameKind.Request, s_id, new byte[1_000]);
        peer.Time.Advance(s_timeout + s_second);
        AnswerTwice(peer);

        var frames = peer.ReadAll();
        var answer = Assert.Single(frames, frame => frame.Kind == FrameKind.Fail);
        Assert.True(FailFrame.TryRead(answer.Payload, out var fail, out _));
        Assert.Equal(MuxStatus.DeadlineExceeded, (MuxStatus)fail.Status);
        Assert.Equal((_buffersBefore, 0L), (BufferPool.Outstanding, peer.Sut.Reassembly.Used));
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void Without_a_limit_a_message_may_take_for_ever()
    {
        var peer = Open(limits: BudgetLimits.None);
        Begin(peer, s_id);
        for (int i = 0; i < 100; i++)
        {
            peer.Time.Advance(TimeSpan.FromHours(1));
            Answer(peer);
        }

        Assert.Empty(peer.ReadAll());
        Assert.Equal(1, peer.Sut.RequestCounts.OpenCount);
    }

    private static void Begin(ScriptedPeer peer, CallId id)
    {
        peer.Begin(FrameKind.Request, id, Total, [0, 0, 0, 0]);
        peer.Continue(FrameKind.Request, id, new byte[1_000]);
    }

    /// <summary>Sends a little of a message every 20 s, until its room is given back.</summary>
    /// <returns>After how many seconds.</returns>
    private static int Dribble(ScriptedPeer peer, FrameKind kind, int step)
    {
        for (int seconds = 20; seconds < 1_000; seconds += 20)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(20));
            peer.Continue(kind, s_id, new byte[step]);
            if (peer.Sut.Reassembly.Used == 0) return seconds;
        }

        throw new InvalidOperationException("The message still holds its room after 1,000 s.");
    }

    /// <summary>A sign of life, whether it was asked for or not.</summary>
    private static void Answer(ScriptedPeer peer)
    {
        peer.SendFrame(FrameKind.Ping, default, new byte[8], FrameFlags.Answer);
        peer.Time.Advance(TimeSpan.FromMilliseconds(20));
    }

    /// <summary>The first finds that the time has passed, and nothing is judged before what waited then was read.</summary>
    private static void AnswerTwice(ScriptedPeer peer)
    {
        Answer(peer);
        peer.Time.Advance(s_timeout / 4);
        Answer(peer);
    }

    private static void AssertRefused(RawFrame first, CallId id)
    {
        Assert.Equal((FrameKind.Fail, id), (first.Kind, first.Id));
        Assert.True(FailFrame.TryRead(first.Payload, out var fail, out _));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), ((MuxStatus)fail.Status, fail.Execution));
        Assert.Contains("No further fragment of the request arrived for 30 s", fail.Text, StringComparison.Ordinal);
    }

    private ScriptedPeer Open(bool accepting = true, BudgetLimits? limits = null)
    {
        limits ??= EffectiveLimits.Of(new MuxServerOptions()).Budgets;
        _peer = ScriptedPeer.Open(accepting, new ConnectionOptions { Budgets = limits, Work = _work, Local = new PeerSettings { MaxCalls = 100 } });
        _peer.Methods.Add("test/Large").Handler = static body => [(byte)body.Length];
        _peer.Methods.Add("test/Echo").Handler = static body => body;
        if (accepting)
        {
            _peer.Define(0, "test/Large");
            _peer.Define(1, "test/Echo");
        }

        return _peer;
    }
}
